import type { Db } from '../../db/client'
import type { Clock } from '../clock'
import { listActiveOsl } from '../osl/queries'
import { oslFilters } from '../osl/rules'
import { listPendingRegistrations } from '../registrations/queries'
import { registrationFilters } from '../registrations/rules'
import { listPendingTitles } from '../titles/queries'
import { titleFilters } from '../titles/rules'
import { listActiveTransports } from '../transports/queries'
import { transportFilters } from '../transports/rules'
import type { ReportColumn, ReportRow } from './types'

const column = (key: string, label: string, kind: ReportColumn['kind'] = 'text'): ReportColumn => ({ key, label, kind })

type List = { columns: ReportColumn[]; page: (db: Db, clock: Clock, page: number) => Promise<{ rows: object[]; total: number }> }

const at = (page: number) => ({ page, per_page: 500, order: 'asc' })

/** The lists that one click exports, with the columns and names of their imports where they have one. */
export const QUICK_EXPORTS = {
  'transports-active': {
    columns: [
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
    ],
    page: (db, _clock, page) => listActiveTransports(db, transportFilters.parse(at(page))),
  },
  'osl-active': {
    columns: [
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
      column('status', 'status'),
      column('days_out_of_service', 'days_out_of_service', 'count'),
      column('storage_fees_total', 'storage_fees_total', 'money'),
    ],
    page: (db, clock, page) => listActiveOsl(db, clock, oslFilters.parse(at(page))),
  },
  'registrations-pending': {
    columns: [
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
    ],
    page: (db, clock, page) => listPendingRegistrations(db, clock, registrationFilters.parse(at(page))),
  },
  'titles-pending': {
    columns: [
      column('unit_number', 'unit_number'),
      column('location_name', 'location'),
      column('dealer_name', 'dealer_name'),
      column('dealer_contact', 'dealer_contact'),
      column('submitted_date', 'submitted_date', 'date'),
      column('days_pending', 'days_pending', 'count'),
      column('notes', 'notes'),
    ],
    page: (db, clock, page) => listPendingTitles(db, clock, titleFilters.parse(at(page))),
  },
} satisfies Record<string, List>

export type QuickExport = keyof typeof QUICK_EXPORTS
export const QUICK_EXPORT_NAMES = Object.keys(QUICK_EXPORTS) as [QuickExport, ...QuickExport[]]

/** Every row of a list, as its screen would show it page by page. */
export async function exportRows(db: Db, clock: Clock, name: QuickExport): Promise<ReportRow[]> {
  const list: List = QUICK_EXPORTS[name]
  const all: ReportRow[] = []
  for (let page = 1; ; page++) {
    const { rows, total } = await list.page(db, clock, page)
    all.push(...(rows as ReportRow[]))
    if (rows.length === 0 || all.length >= total) return all
  }
}
