import { Elysia } from 'elysia'
import { AuditPage } from '../../views/audit/audit-page'
import { HistoryPage } from '../../views/audit/history-page'
import { signedInPages } from '../auth/guard'
import { acceptLeniently } from '../fields'
import { metaOf } from '../http/answers'
import type { Office } from '../office'
import { paths } from '../paths'
import { listAudit } from './queries'
import { auditFilters, historyParams, historyQuery } from './rules'
import { told } from './told'

const forAdmins = ({ db, clock, ...office }: Office) =>
  new Elysia().use(signedInPages({ db, clock, ...office }, 'admin')).get(paths.audit, async ({ query, page }) => {
    const asked = acceptLeniently(auditFilters, query)
    const { rows, total } = await listAudit(db, clock, asked)
    return page('Audit Trail', <AuditPage rows={await told(db, rows, clock.timeZone)} query={asked} meta={metaOf(asked, total)} timeZone={clock.timeZone} />)
  })

const forStaff = ({ db, clock, ...office }: Office) =>
  new Elysia().use(signedInPages({ db, clock, ...office })).get(
    '/history/:entity/:id',
    async ({ params, query, page }) => {
      const asked = acceptLeniently(historyQuery, query)
      const { rows, total } = await listAudit(db, clock, auditFilters.parse({ ...asked, entity: params.entity, entity_id: params.id }))
      return page(
        'History',
        <HistoryPage
          entity={params.entity}
          id={params.id}
          rows={(await told(db, rows, clock.timeZone)).map((entry) => ({ ...entry, address: null }))}
          query={asked}
          meta={metaOf(asked, total)}
          timeZone={clock.timeZone}
        />,
      )
    },
    { params: historyParams },
  )

export const auditPages = (office: Office) => new Elysia().use(forAdmins(office)).use(forStaff(office))
