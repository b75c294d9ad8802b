import { oslImport } from '../features/osl/import'
import { registrationImport } from '../features/registrations/import'
import { titleImport } from '../features/titles/import'
import { transportImport } from '../features/transports/import'
import type { Kinds } from '../platform/kinds'

/**
 * Kinds of records that can be imported from spreadsheets.
 * In a separate file, so that the import worker need not load all features.
 */
export const IMPORT_KINDS: Kinds['imports'] = {
  transports: transportImport,
  osl: oslImport,
  registrations: registrationImport,
  titles: titleImport,
}
