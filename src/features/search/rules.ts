import { z } from 'zod'
import { requiredText } from '../../platform/fields'

const searchTerm = requiredText('Please enter a search term', 100)

export const searchQuery = z.object({ q: searchTerm })

/** The parameter is named `find`, because the lists below the header use `q`. */
export const headerQuery = z.object({ find: searchTerm })
