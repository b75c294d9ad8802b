import type { z } from 'zod'
import type { Db } from '../../db/client'
import type { Clock } from '../clock'
import { accept } from '../fields'
import { oslListings } from '../osl/queries'
import { completedOslFilters, completedPeriod, oslFilters } from '../osl/rules'
import type { Listing } from '../records/listing'
import { registrationListings } from '../registrations/queries'
import { expiringFilters, registrationFilters } from '../registrations/rules'
import { titleListings } from '../titles/queries'
import { overdueFilters, titleFilters } from '../titles/rules'
import { transportListings } from '../transports/queries'
import { completedFilters, reportPeriod, transportFilters } from '../transports/rules'
import type { ReportColumn } from './types'

const column = (key: string, label: string, kind: ReportColumn['kind'] = 'text'): ReportColumn => ({ key, label, kind })

/** Columns have the names of their imports where they have one, so that what was exported imports again. */
const TRANSPORT = [
  column('unit_number', 'unit_number'),
  column('location_out_name', 'location_out'),
  column('location_in_name', 'location_in'),
  column('move_date', 'move_date', 'date'),
  column('transport_company_name', 'transport_company'),
  column('status', 'status'),
  column('ra_number', 'ra_number'),
  column('estimated_arrival_date', 'estimated_arrival_date', 'date'),
  column('mileage', 'mileage', 'count'),
  column('move_type', 'move_type'),
  column('estimated_cost', 'estimated_cost', 'money'),
  column('final_cost', 'final_cost', 'money'),
  column('actual_arrival_date', 'actual_arrival_date', 'date'),
  column('issue_po', 'issue_po'),
  column('po_number', 'po_number'),
  column('notes', 'notes'),
]
const OSL = [
  column('unit_number', 'unit_number'),
  column('osl_date', 'osl_date', 'date'),
  column('location_name', 'location'),
  column('problem', 'problem'),
  column('ra_number', 'ra_number'),
  column('osl_mileage', 'osl_mileage', 'count'),
  column('key_location', 'key_location'),
  column('contact_phone', 'contact_phone'),
  column('fuel_level', 'fuel_level'),
  column('storage_fee_daily_rate', 'storage_fee_daily_rate', 'money'),
  column('notes', 'notes'),
  column('status', 'status'),
  column('vendor_name', 'vendor'),
  column('days_out_of_service', 'days_out_of_service', 'count'),
  column('storage_fees_total', 'storage_fees_total', 'money'),
]
const OSL_COMPLETED = [...OSL, column('completed_on', 'completed_on', 'date')]
const REGISTRATION = [
  column('unit_number', 'unit_number'),
  column('location_name', 'location'),
  column('plate_number', 'plate_number'),
  column('state_province', 'state_province'),
  column('date_issued', 'date_issued', 'date'),
  column('date_expires', 'date_expires', 'date'),
  column('registration_type', 'registration_type'),
  column('cost', 'cost', 'money'),
  column('vlt', 'vlt', 'money'),
  column('notes', 'notes'),
]
const RECEIVED = [...REGISTRATION, column('status', 'status')]
const TITLE = [
  column('unit_number', 'unit_number'),
  column('location_name', 'location'),
  column('dealer_name', 'dealer_name'),
  column('dealer_contact', 'dealer_contact'),
  column('submitted_date', 'submitted_date', 'date'),
  column('days_pending', 'days_pending', 'count'),
  column('notes', 'notes'),
]
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
