import type { FieldError } from './refusals'

/** Formats a field name as a label: `unit_number` becomes `Unit number`. */
export const fieldLabel = (field: string) =>
  field
    .replaceAll('_', ' ')
    .replace(/^./, (first) => first.toUpperCase())
    .replace(/^Ra /, 'RA ')
    .replace(/\bpo\b/i, 'PO')
    .replace(/^Osl\b/, 'OSL')
    .replace(/^Vin$/, 'VIN')
    .replace(/^Email$/, 'E-mail')
    .replace(/^Url$/, 'URL')
    .replace(/^Last chased on$/, 'Last follow-up')
    .replace(/^Other names$/, 'Aliases')
    .replace(/^Vlt$/, 'VLT')
    .replace(/^Mail to$/, 'Send to')
    .replace(/^External id$/, 'External ID')
    .replace(/^Sign in kept days$/, 'Sign-ins')
    .replace(/^State province$/, 'State or province')

/**
 * Adds the field's label to a message. `6 digits required` becomes `Unit number: 6 digits required`. A message that
 * starts with the first word of the field name is returned unchanged.
 */
export const fieldMessage = ({ field, message }: FieldError) =>
  message.toLowerCase().startsWith(field.split('_')[0] as string) ? message : `${fieldLabel(field)}: ${message}`
