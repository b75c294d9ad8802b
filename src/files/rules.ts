import { z } from 'zod'
import { DATA_TYPES } from '../../db/vocabulary'
import { choice, listQuery, optionalChoice } from '../fields'

export const NO_DATA_TYPE = 'Please select a data type first'

export const upload = z.object({
  data_type: choice(DATA_TYPES, NO_DATA_TYPE),
  file: z.preprocess(
    (value) => (Array.isArray(value) ? 'several' : value),
    z
      .instanceof(File, { error: ({ input }) => (input === 'several' ? 'Too many files: send one at a time' : 'Please choose a file') })
      .refine((file) => file.name !== '', 'Please choose a file'),
  ),
})

export const historyFilters = listQuery(['created_at', 'file_name', 'imported', 'failed'], 'created_at', 'desc').extend({
  data_type: optionalChoice(DATA_TYPES),
})

/** What became of a file. `row` counts as the spreadsheet shows it: the header is row 1. */
export type UploadResult = {
  imported: number
  failed: number
  duplicates: number
  errors: { row: number; message: string }[]
  validation_errors: string[]
}

/** The sentence after an upload. */
export function resultMessage({ imported, failed, duplicates }: Pick<UploadResult, 'imported' | 'failed' | 'duplicates'>): string {
  const parts = [`${imported} record${imported === 1 ? '' : 's'} imported`]
  if (failed) parts.push(`${failed} failed`)
  if (duplicates) parts.push(`${duplicates} duplicate${duplicates === 1 ? '' : 's'} skipped`)
  return parts.join(', ')
}
