import { oslImport } from '../features/osl/import'
import { registrationImport } from '../features/registrations/import'
import { titleImport } from '../features/titles/import'
import { transportImport } from '../features/transports/import'
import type { Kinds } from '../platform/kinds'

/**
 * Kinds of spreadsheets that can be imported. They are separate from the other kinds because the worker needs only
 * these.
 */
export const IMPORT_KINDS: Kinds['imports'] = {
  transports: transportImport,
  osl: oslImport,
  registrations: registrationImport,
  titles: titleImport,
}
