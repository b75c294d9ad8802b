import { oslImport } from '../features/osl/import'
import { registrationImport } from '../features/registrations/import'
import { titleImport } from '../features/titles/import'
import { transportImport } from '../features/transports/import'
import type { Kinds } from '../platform/kinds'

/**
 * Kinds of spreadsheets that can be imported. They are in a separate file, because the import worker loads only this
 * file and not all record kinds.
 */
export const IMPORT_KINDS: Kinds['imports'] = {
  transports: transportImport,
  osl: oslImport,
  registrations: registrationImport,
  titles: titleImport,
}
