import { fieldLabel } from '../../field-label'
import { headerKey } from './heading-keys'

/**
 * Returns the name of a field for messages about a file. This is the heading of its column, which the user recognizes.
 * If there is no heading, or if the heading is the field's name, returns the label that forms show.
 */
export function headingOf({ fields, header }: { fields: (string | null)[]; header: string[] }, field: string): string {
  const heading = header[fields.indexOf(field)]?.trim() ?? ''
  return heading === '' || headerKey(heading) === headerKey(field)
    ? fieldLabel(field)
    : heading.slice(0, 60).toWellFormed()
}
