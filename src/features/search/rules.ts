import { z } from 'zod'
import { requiredText } from '../../platform/fields'

const searchTerm = requiredText('Please enter a search term', 100)

export const searchQuery = z.object({ q: searchTerm })

/** Query of the search field in the header. Its name is `find`, because the lists on the pages already use `q`. */
export const headerQuery = z.object({ find: searchTerm })
