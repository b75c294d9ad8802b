import { fieldLabel } from '../../field-label'
import { headerKey } from './heading-keys'

/**
 * Returns the name of a field for messages about a file. This is the column's heading in the file, so that the user
 * recognizes it. Without a heading, or if the heading equals the field's name, it is the label that forms show.
 */
export function headingOf({ fields, header }: { fields: (string | null)[]; header: string[] }, field: string): string {
  const heading = header[fields.indexOf(field)]?.trim() ?? ''
  return heading === '' || headerKey(heading) === headerKey(field)
    ? fieldLabel(field)
    : heading.slice(0, 60).toWellFormed()
}
