import { Elysia } from 'elysia'
import { z } from 'zod'
import { signedIn } from '../auth/guard'
import { answer } from '../http/answers'
import type { Office } from '../office'
import { REPORTS } from './definitions'
import { runReport } from './queries'
import { exportRows, QUICK_EXPORT_NAMES, QUICK_EXPORTS } from './quick-exports'
import { exportQuery, reportParams, reportPeriod, reportQuery } from './rules'
import { tableFile } from './table-file'
import { REPORT_TYPES } from './types'

export const reportsApi = (office: Office) => {
  const { db, clock } = office
  return new Elysia({ prefix: '/api', detail: { tags: ['reports'] } })
    .use(signedIn(office))
    .get('/reports', () => answer(REPORT_TYPES.map((type) => ({ type, label: REPORTS[type].label, description: REPORTS[type].about }))), {
      detail: { summary: 'The fourteen report types' },
    })
    .get(
      '/reports/:type',
      async ({ params, query }) => {
        const period = reportPeriod(query)
        const report = await runReport(db, params.type, { ...period, location_id: query.location_id, today: clock.today(), timeZone: clock.timeZone })
        if (query.format === 'json') return answer(report)
        return tableFile(query.format, `${params.type}_${period.start_date}_to_${period.end_date}`, report.columns, report.rows)
      },
      {
        params: reportParams,
        query: reportQuery,
        detail: { summary: 'Run a report', description: 'Needs `start_date` and `end_date`; `format` is json, csv or xlsx.' },
      },
    )
    .get(
      '/exports/:name',
      async ({ params, query }) =>
        tableFile(query.format, `${params.name}_${clock.today()}`, QUICK_EXPORTS[params.name].columns, await exportRows(db, clock, params.name)),
      {
        params: z.object({ name: z.enum(QUICK_EXPORT_NAMES) }),
        query: exportQuery,
        detail: { summary: 'Export a list', description: '`format` is csv or xlsx.' },
      },
    )
}
