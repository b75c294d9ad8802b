import { oslImport } from '../features/osl/import'
import { registrationImport } from '../features/registrations/import'
import { titleImport } from '../features/titles/import'
import { transportImport } from '../features/transports/import'
import type { Kinds } from '../platform/kinds'

/**
 * Kinds of spreadsheets that can be imported. They have their own file, because the import worker needs no other kinds.
 */
export const IMPORT_KINDS: Kinds['imports'] = {
  transports: transportImport,
  osl: oslImport,
  registrations: registrationImport,
  titles: titleImport,
}
