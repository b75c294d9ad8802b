import { Elysia } from 'elysia'
import { signedIn } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { list, object, oneOf, ref, string } from '../../platform/docs/schema'
import { idParams } from '../../platform/fields'
import { about } from '../../platform/http/about'
import { answer, answerList, answerRowsOrPage } from '../../platform/http/answers'
import { CSV, data, file, orFile, page, XLSX } from '../../platform/http/shapes'
import { partQuery } from '../../platform/lists/list-query'
import { download, tableFile } from '../../platform/lists/tables/table-file'
import { showingStored } from '../../platform/refusals'
import { readReport } from '../../platform/replica'
import { checkMayRun, reportFor, typesFor } from './costs'
import { REPORTS } from './definitions'
import { runReport } from './queries'
import { checkParameters, listReportRecords } from './report-records'
import { recordsQuery, reportParams, reportPeriod, reportQuery, schedule, scheduleChange } from './rules'
import { findRunFile, listRuns } from './runs'
import { createSchedule, findSchedule, listSchedules, removeSchedule, updateSchedule } from './schedules'
import { sums, value } from './schemas'
import { REPORT_TYPES, rowsWithTotal } from './types'

export const reportsApi = (ctx: AppContext) => {
  const { db, clock } = ctx
  return new Elysia({ prefix: '/api', detail: about({ tags: ['reports'] }) })
    .use(signedIn(ctx))
    .get(
      '/reports',
      ({ user }) =>
        answer(typesFor(user).map((type) => ({ type, label: REPORTS[type].label, description: REPORTS[type].about }))),
      {
        detail: about({
          summary: 'Report types with their descriptions',
          answers: data(list(object({ type: oneOf(REPORT_TYPES), label: string, description: string }))),
        }),
      },
    )
    .get('/reports/schedules', async ({ query }) => answerRowsOrPage(await listSchedules(db), query), {
      query: partQuery,
      detail: about({
        role: 'costs',
        summary: 'Scheduled reports',
        answers: page(ref('ScheduleWithRun')),
      }),
    })
    .post('/reports/schedules', async ({ body, write }) => answer(await createSchedule(write, body)), {
      body: schedule,
      detail: about({
        role: 'costs',
        isSensitive: true,
        summary: 'Schedule a report',
        description:
          'Weekly with `weekday` (1 is Monday) or monthly with `day_of_month` (1 to 28), at `hour` in the ' +
          'business time zone.',
        answers: data(ref('Schedule'), 201),
      }),
    })
    .put(
      '/reports/schedules/:id',
      async ({ params, body, write }) => {
        const { version, ...change } = body
        return answer(await updateSchedule(write, params.id, version, change).catch(showingStored()))
      },
      {
        params: idParams,
        body: scheduleChange,
        detail: about({
          role: 'costs',
          isSensitive: true,
          summary: 'Change or pause a report schedule',
          answers: data(ref('Schedule')),
        }),
      },
    )
    .delete('/reports/schedules/:id', async ({ params, write }) => answer(await removeSchedule(write, params.id)), {
      params: idParams,
      detail: about({
        role: 'costs',
        isSensitive: true,
        summary: 'Delete a report schedule and its runs',
        answers: data(ref('Schedule')),
      }),
    })
    .get(
      '/reports/schedules/:id/runs',
      async ({ params, query }) => answerRowsOrPage(await listRuns(db, (await findSchedule(db, params.id)).id), query),
      {
        params: idParams,
        query: partQuery,
        detail: about({ role: 'costs', summary: 'Latest runs of a report schedule', answers: page(ref('ReportRun')) }),
      },
    )
    .get(
      '/reports/runs/:id/file',
      async ({ params }) => {
        const { name, content } = await findRunFile(db, params.id)
        return download(name, content)
      },
      {
        params: idParams,
        detail: about({ role: 'costs', summary: 'Download the file of a scheduled report', answers: file(CSV, XLSX) }),
      },
    )
    .get(
      '/reports/:type',
      async ({ params, query, user }) => {
        checkMayRun(user, params.type)
        const period = reportPeriod(query)
        const parameters = {
          ...period,
          location_id: query.location_id,
          today: clock.today(),
          timeZone: clock.timeZone,
        }
        const { value: whole } = await readReport(ctx, (db) => runReport(db, params.type, parameters))
        const report = reportFor(user, whole)
        if (query.format === 'json') return answer(report)
        return tableFile(
          query.format,
          `${params.type}_${period.start_date}_to_${period.end_date}`,
          report.columns,
          rowsWithTotal(report),
        )
      },
      {
        params: reportParams,
        query: reportQuery,
        detail: about({
          needs: ['start_date', 'end_date'],
          summary: 'Run a report',
          description:
            'Requires `start_date` and `end_date`, both inclusive. `format` is json, csv or xlsx. The last row ' +
            'of a file contains the totals.',
          answers: orFile(data(ref('Report')), CSV, XLSX),
        }),
      },
    )
    .get(
      '/reports/:type/records',
      async ({ params, query, user }) => {
        checkMayRun(user, params.type)
        const reportParameters = {
          ...reportPeriod(query),
          location_id: query.location_id,
          today: clock.today(),
          timeZone: clock.timeZone,
        }
        const { value } = await readReport(ctx, async (db) => {
          await checkParameters(db, params.type, reportParameters, query)
          return listReportRecords(db, params.type, reportParameters, query)
        })
        const { totals, rows, total } = value
        return { ...answerList(query, { rows, total }), totals }
      },
      {
        params: reportParams,
        query: recordsQuery,
        detail: about({
          needs: ['start_date', 'end_date'],
          summary: 'Records behind a report, or behind one of its rows or figures',
          description:
            'To select a row, add its entry in `behind` of the report as query parameters. To select a ' +
            'figure, send its column key as `figure`. `totals` are the sums over all matching records.',
          answers: page({ type: 'object', additionalProperties: value }, { totals: sums }),
        }),
      },
    )
}
