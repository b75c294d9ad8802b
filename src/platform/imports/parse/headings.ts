import { fieldLabel } from '../../field-label'
import { headerKey } from './place-columns'

/**
 * Returns the label of a field for messages about a file. The label is the field's heading in the file. If there is no
 * heading, or the heading is only the field's name, our own label is used.
 */
export function headingOf({ fields, header }: { fields: (string | null)[]; header: string[] }, field: string): string {
  const heading = header[fields.indexOf(field)]?.trim() ?? ''
  return heading === '' || headerKey(heading) === headerKey(field)
    ? fieldLabel(field)
    : heading.slice(0, 60).toWellFormed()
}
