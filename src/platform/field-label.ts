import type { FieldError } from './refusals'

/** `unit_number` as people read it. */
export const fieldLabel = (field: string) =>
  field
    .replaceAll('_', ' ')
    .replace(/^./, (first) => first.toUpperCase())
    .replace(/^Ra /, 'RA ')
    .replace(/\bpo\b/i, 'PO')
    .replace(/^Osl /, 'OSL ')
    .replace(/^Vlt$/, 'VLT')

/** The field and what is wrong with it, without saying its name twice. */
export const complaint = ({ field, message }: FieldError) =>
  message.toLowerCase().startsWith(field.split('_')[0] as string) ? message : `${fieldLabel(field)}: ${message}`
