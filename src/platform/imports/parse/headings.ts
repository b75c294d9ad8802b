import { fieldLabel } from '../../field-label'
import { headerKey } from './place-columns'

/** Label of a field in messages: the file's heading, unless it is the field's name. */
export function headingOf({ fields, header }: { fields: (string | null)[]; header: string[] }, field: string): string {
  const heading = header[fields.indexOf(field)]?.trim() ?? ''
  return heading === '' || headerKey(heading) === headerKey(field)
    ? fieldLabel(field)
    : heading.slice(0, 60).toWellFormed()
}
