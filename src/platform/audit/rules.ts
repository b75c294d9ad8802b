import { z } from 'zod'
import { AUDIT_ACTIONS, CHANGE_SOURCES, FILE_FORMATS } from '../../../db/vocabulary'
import { choiceOr, idParams, optionalChoice, optionalDate, optionalIdFilter, optionalText } from '../fields'
import { listQuery } from '../lists/list-query'
import { Forbidden } from '../refusals'

export const auditFilters = listQuery(['at'], 'at', 'desc').extend({
  entity: optionalText(40),
  entity_id: optionalIdFilter,
  actor: optionalText(50),
  action: optionalChoice(AUDIT_ACTIONS),
  source: optionalChoice(CHANGE_SOURCES),
  start_date: optionalDate,
  end_date: optionalDate,
})

export const auditExport = auditFilters.extend({ format: choiceOr(FILE_FORMATS, 'csv') })

/** The records whose history every user may read, by table; that of accounts and their tokens is for administrators. */
export const OPEN_HISTORIES = [
  'transports',
  'osl_entries',
  'registrations',
  'titles',
  'vehicles',
  'locations',
  'transport_companies',
  'vendors',
  'uploads',
  'import_aliases',
  'report_schedules',
  'budgets',
  'vendor_invoices',
  'vendor_invoice_lines',
] as const

const ABOUT_COSTS: string[] = [
  'budgets',
  'vendor_invoices',
  'vendor_invoice_lines',
] satisfies (typeof OPEN_HISTORIES)[number][]

/** @throws Forbidden for the history of what only tells costs, to who may not see them */
export function checkMayReadHistory({ sees_costs }: { sees_costs: boolean }, entity: string) {
  if (!sees_costs && ABOUT_COSTS.includes(entity)) throw new Forbidden('Only administrators see costs')
}

export const historyParams = idParams.extend({ entity: z.enum(OPEN_HISTORIES) })
export const historyQuery = listQuery(['at'], 'at', 'desc')
