import { z } from 'zod'
import { requiredText } from '../../platform/fields'

const what = requiredText('Please enter what to search for', 100)

export const searchQuery = z.object({ q: what })

/** The header stands above lists that have a `q` of their own, so its field has another name. */
export const headerQuery = z.object({ find: what })
