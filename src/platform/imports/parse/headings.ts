import { fieldLabel } from '../../field-label'
import { headerKey } from './place-columns'

/** What a user calls a field: the heading in the file, unless that is the field's own name. */
export function headingOf({ fields, header }: { fields: (string | null)[]; header: string[] }, field: string): string {
  const heading = header[fields.indexOf(field)]?.trim() ?? ''
  return heading === '' || headerKey(heading) === headerKey(field)
    ? fieldLabel(field)
    : heading.slice(0, 60).toWellFormed()
}
