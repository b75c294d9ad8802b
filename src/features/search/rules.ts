import { z } from 'zod'
import { requiredText } from '../../platform/fields'

const searchTerm = requiredText('Please enter a search term', 100)

export const searchQuery = z.object({ q: searchTerm })

/** Query parameter of the search field in the header. It is named `find`, because lists already use `q`. */
export const headerQuery = z.object({ find: searchTerm })
