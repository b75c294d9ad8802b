import { fieldLabel } from '../../field-label'
import { headerKey } from './place-columns'

/**
 * Returns the label of a field in messages. This is the heading in the file, or our own label if the heading is only
 * the field's name.
 */
export function headingOf({ fields, header }: { fields: (string | null)[]; header: string[] }, field: string): string {
  const heading = header[fields.indexOf(field)]?.trim() ?? ''
  return heading === '' || headerKey(heading) === headerKey(field)
    ? fieldLabel(field)
    : heading.slice(0, 60).toWellFormed()
}
