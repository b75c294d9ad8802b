import type { FieldError } from './refusals'

/** Labels of forms that differ from the name of the field. */
const LABELS: Record<string, string> = {
  audit_kept_days: 'Audit entries',
  contact_email: 'Contact e-mail',
  cost_days: 'Missing final costs',
  cost_viewers: 'Costs',
  deleted_kept_days: 'Deleted records',
  due_mail_hour: 'Daily mail',
  email: 'E-mail',
  expected_return: 'Expected back',
  external_id: 'External ID',
  invoice_deciders: 'Invoices',
  last_chased_on: 'Contacted on',
  mail_to: 'Send to',
  next_action: 'Next step',
  next_action_on: 'Next step on',
  next_chase_on: 'Follow up on',
  osl_days: 'OSL entries without a next step',
  other_names: 'Aliases',
  over_estimate_percent: 'Cost above the estimate',
  password_rule: 'New passwords',
  po_first: 'First number',
  po_prefix: 'Prefix',
  registration_days: 'Registrations',
  sign_in_kept_days: 'Sign-ins',
  second_factor_required: 'Two-factor authentication required for',
  state_province: 'State or province',
  storage_daily_rate: 'Storage rate per day',
  storage_fee_waived: 'Waived',
  storage_fee_waived_reason: 'Waiver reason',
  storage_fees_applicable: 'Storage fees apply',
  storage_grace_days: 'Grace days',
  title_danger_days: 'Titles, urgent',
  title_days: 'Titles',
  upload_kept_days: 'Imports',
  url: 'URL',
  vin: 'VIN',
  vlt: 'VLT',
}

/** Formats a field name as a label: `unit_number` becomes `Unit number`, `newPassword` becomes `New password`. */
export const fieldLabel = (field: string) =>
  LABELS[field] ??
  field
    .replace(/_id$/, '')
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replaceAll('_', ' ')
    .replace(/^./, (first) => first.toUpperCase())
    .replace(/^Ra /, 'RA ')
    .replace(/\bpo\b/i, 'PO')
    .replace(/^Osl\b/, 'OSL')

/**
 * Adds the field's label to a message. `6 digits required` becomes `Unit number: 6 digits required`. A message that
 * starts with the first word of the field name is returned unchanged.
 */
export const fieldMessage = ({ field, message }: FieldError) =>
  message.toLowerCase().startsWith(field.split('_')[0] as string) ? message : `${fieldLabel(field)}: ${message}`
