import { Elysia } from 'elysia'
import { signedIn } from '../auth/guard'
import type { AppContext } from '../context'
import { answerList } from '../http/answers'
import { tableFile } from '../tables/table-file'
import { changesText, describeEntries } from './describe'
import { eachAuditEntry, listAudit } from './queries'
import { auditExport, auditFilters, historyParams, historyQuery } from './rules'

const COLUMNS = [
  { key: 'id', label: 'id', kind: 'count' as const },
  { key: 'at', label: 'at', kind: 'text' as const },
  ...['actor', 'source', 'address', 'action', 'entity'].map((key) => ({ key, label: key, kind: 'text' as const })),
  { key: 'entity_id', label: 'entity_id', kind: 'count' as const },
  { key: 'subject', label: 'subject', kind: 'text' as const },
  { key: 'upload_id', label: 'upload_id', kind: 'count' as const },
  { key: 'changes', label: 'changes', kind: 'text' as const },
]

const forAdmins = ({ db, clock, ...ctx }: AppContext) =>
  new Elysia({ prefix: '/audit' })
    .use(signedIn({ db, clock, ...ctx }, 'admin'))
    .get('/', async ({ query }) => answerList(query, await listAudit(db, clock, query)), {
      query: auditFilters,
      detail: { summary: 'Who changed what, newest first', description: 'For administrators. Entries cannot be edited or deleted.' },
    })
    .get(
      '/export',
      ({ query }) => {
        async function* rows() {
          for await (const batch of eachAuditEntry(db, clock, query)) {
            yield (await describeEntries(db, batch, clock.timeZone)).map((entry) => ({ ...entry, at: entry.at.toISOString(), changes: changesText(entry) }))
          }
        }
        return tableFile(query.format, `audit_${clock.today()}`, COLUMNS, rows())
      },
      {
        query: auditExport,
        detail: { summary: 'The audit trail as a file', description: 'Every entry that the filters let through; `format` is csv or xlsx.' },
      },
    )

const forStaff = ({ db, clock, ...ctx }: AppContext) =>
  new Elysia({ prefix: '/history' }).use(signedIn({ db, clock, ...ctx })).get(
    '/:entity/:id',
    async ({ params, query }) => {
      const { rows, total } = await listAudit(db, clock, auditFilters.parse({ ...query, entity: params.entity, entity_id: params.id }))
      // Where somebody sat is for administrators.
      return answerList(query, { rows: rows.map(({ address: _, ...entry }) => entry), total })
    },
    {
      params: historyParams,
      query: historyQuery,
      detail: { summary: 'Who changed one record, newest first', description: '`entity` is the name of its table.' },
    },
  )

export const auditApi = (ctx: AppContext) => new Elysia({ prefix: '/api', detail: { tags: ['audit'] } }).use(forAdmins(ctx)).use(forStaff(ctx))
