import { Elysia } from 'elysia'
import { signedIn } from '../auth/guard'
import { answerList } from '../http/answers'
import type { Office } from '../office'
import { listAudit } from './queries'
import { auditFilters } from './rules'

export const auditApi = (office: Office) =>
  new Elysia({ prefix: '/api/audit', detail: { tags: ['audit'] } })
    .use(signedIn(office, 'admin'))
    .get('/', async ({ query }) => answerList(query, await listAudit(office.db, office.clock, query)), {
      query: auditFilters,
      detail: { summary: 'Who changed what, newest first', description: 'For administrators. Entries cannot be edited or deleted.' },
    })
