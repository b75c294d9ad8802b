import { z } from 'zod'
import { requiredText } from '../fields'

export const searchQuery = z.object({ q: requiredText('Please enter what to search for', 100) })
