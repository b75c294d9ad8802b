import { Elysia } from 'elysia'
import { AuditPage } from '../../../views/audit/audit-page'
import { HistoryPage } from '../../../views/audit/history-page'
import { acceptLeniently } from '../accept'
import { signedInPages } from '../auth/guard'
import type { AppContext } from '../context'
import { about } from '../http/about'
import { metaOf } from '../http/answers'
import { paths } from '../paths'
import { kindOf } from '../records/kind'
import { describeEntries, entriesFor, withShortValues } from './describe'
import { isStored, listAudit } from './queries'
import { auditFilters, checkMayReadHistory, historyParams, historyQuery } from './rules'

const trail = ({ db, clock, ...ctx }: AppContext) =>
  new Elysia({ detail: about({ role: 'admin' }) }).use(signedInPages({ db, clock, ...ctx })).get(
    paths.audit,
    async ({ query, page }) => {
      const filters = acceptLeniently(auditFilters, query)
      const { rows, total } = await listAudit(db, clock, filters)
      return page(
        'Audit Trail',
        <AuditPage
          rows={await describeEntries(db, withShortValues(rows), clock.timeZone)}
          query={filters}
          meta={metaOf(filters, total)}
          timeZone={clock.timeZone}
        />,
      )
    },
    { detail: about({ summary: 'Audit Trail' }) },
  )

const history = ({ db, clock, ...ctx }: AppContext) =>
  new Elysia().use(signedInPages({ db, clock, ...ctx })).get(
    paths.historyPattern,
    async ({ params, query, page, user }) => {
      checkMayReadHistory(user, params.entity)
      const filters = acceptLeniently(historyQuery, query)
      const { rows, total } = await listAudit(
        db,
        clock,
        auditFilters.parse({ ...filters, entity: params.entity, entity_id: params.id }),
      )
      const isGone = !(await isStored(db, params))
      const { path: restorePath, role } = kindOf(params.entity)?.restore ?? {}
      const describedEntries = await describeEntries(db, withShortValues(entriesFor(user, rows)), clock.timeZone)
      return page(
        'History',
        <HistoryPage
          entity={params.entity}
          id={params.id}
          isGone={isGone}
          restorePath={isGone && (role === 'user' || role === user.role) ? restorePath?.(params.id) : undefined}
          rows={describedEntries.map((entry) => ({ ...entry, address: null }))}
          query={filters}
          meta={metaOf(filters, total)}
          timeZone={clock.timeZone}
        />,
      )
    },
    { detail: about({ summary: 'History of one record' }), params: historyParams },
  )

export const auditPages = (ctx: AppContext) => new Elysia().use(trail(ctx)).use(history(ctx))
