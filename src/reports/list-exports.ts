import type { z } from 'zod'
import type { Db } from '../../db/client'
import type { Clock } from '../clock'
import { accept } from '../fields'
import type { ImportKind } from '../imports/kind'
import { exportColumns } from '../imports/kinds'
import { oslImport } from '../osl/import'
import { oslListings } from '../osl/queries'
import { completedOslFilters, completedPeriod, oslFilters } from '../osl/rules'
import type { Listing } from '../records/listing'
import { registrationImport } from '../registrations/import'
import { registrationListings } from '../registrations/queries'
import { expiringFilters, registrationFilters } from '../registrations/rules'
import { titleImport } from '../titles/import'
import { titleListings } from '../titles/queries'
import { overdueFilters, titleFilters } from '../titles/rules'
import { transportImport } from '../transports/import'
import { transportListings } from '../transports/queries'
import { completedFilters, reportPeriod, transportFilters } from '../transports/rules'
import type { ReportColumn } from './types'

const column = (key: string, label: string, kind: ReportColumn['kind'] = 'text'): ReportColumn => ({ key, label, kind })

/** A list's own columns beside those that import again; `before` says where they stand. */
function columnsOf(kind: ImportKind, own: ReportColumn[] = [], before?: string): ReportColumn[] {
  const imported: ReportColumn[] = exportColumns(kind)
  const at = before ? imported.findIndex(({ key }) => key === before) : imported.length
  return imported.toSpliced(at, 0, ...own)
}

/** Columns have the names of their imports where they have one, so that what was exported imports again. */
const TRANSPORT = columnsOf(transportImport)
const OSL = columnsOf(oslImport, [
  column('status', 'status'),
  column('vendor_name', 'vendor'),
  ...['ta_log_number', 'po_number', 'contact_email'].map((key) => column(key, key)),
  column('generator_hours', 'generator_hours', 'decimal'),
  ...['propane_level', 'exchange_location', 'non_rev_number', 'fleet_registration_mailed', 'model_year'].map((key) => column(key, key)),
  column('days_out_of_service', 'days_out_of_service', 'count'),
  column('storage_fees_total', 'storage_fees_total', 'money'),
])
const OSL_COMPLETED = [...OSL, column('completed_on', 'completed_on', 'date')]
const REGISTRATION = columnsOf(registrationImport)
const RECEIVED = [...REGISTRATION, column('status', 'status')]
const TITLE = columnsOf(titleImport, [column('submitted_date', 'submitted_date', 'date'), column('days_pending', 'days_pending', 'count')], 'notes')
const TRANSFERRED = [...TITLE, column('transferred_date', 'transferred_date', 'date')]

type Query = Record<string, unknown>
type ListExport = { columns: ReportColumn[]; filters: z.ZodType; open: (db: Db, clock: Clock, query: Query) => Listing<{ id: number }> }

/** A list with its columns; `filters` are those of its screen and call. */
const list = <Filters extends z.ZodType>(
  columns: ReportColumn[],
  filters: Filters,
  open: (db: Db, clock: Clock, query: z.output<Filters>) => Listing<{ id: number }>,
): ListExport => ({ columns, filters, open: (db, clock, query) => open(db, clock, accept(filters, query)) })

/** Every list that can be fetched as a file, with the filters that its screen has. */
export const LIST_EXPORTS = {
  'transports-active': list(TRANSPORT, transportFilters, (db, _clock, query) => transportListings.active(db, query)),
  'transports-completed': list(TRANSPORT, completedFilters.omit({ format: true }), (db, clock, query) =>
    transportListings.completed(db, { ...query, ...reportPeriod(query, clock.today()) }),
  ),
  'transports-all': list(TRANSPORT, transportFilters, (db, _clock, query) => transportListings.all(db, query)),
  'osl-active': list(OSL, oslFilters, (db, clock, query) => oslListings.active(db, clock, query)),
  'osl-completed': list(OSL_COMPLETED, completedOslFilters, (db, clock, query) => oslListings.completed(db, clock, { ...query, ...completedPeriod(query) })),
  'registrations-pending': list(REGISTRATION, registrationFilters, (db, clock, query) => registrationListings.pending(db, clock, query)),
  'registrations-completed': list(RECEIVED, registrationFilters, (db, clock, query) => registrationListings.completed(db, clock, query)),
  'registrations-expiring': list(RECEIVED, expiringFilters, (db, clock, query) => registrationListings.expiring(db, clock, query)),
  'titles-pending': list(TITLE, titleFilters, (db, clock, query) => titleListings.pending(db, clock, query)),
  'titles-transferred': list(TRANSFERRED, titleFilters, (db, clock, query) => titleListings.transferred(db, clock, query)),
  'titles-overdue': list(TITLE, overdueFilters, (db, clock, query) => titleListings.overdue(db, clock, query)),
} satisfies Record<string, ListExport>

export type ListExportName = keyof typeof LIST_EXPORTS
export const LIST_EXPORT_NAMES = Object.keys(LIST_EXPORTS) as [ListExportName, ...ListExportName[]]
