import { Elysia } from 'elysia'
import { auditEntries } from '../../../db/schema'
import { signedIn } from '../auth/guard'
import type { AppContext } from '../context'
import { change } from '../docs/components'
import { record, ref } from '../docs/schema'
import { about } from '../http/about'
import { answerList } from '../http/answers'
import { CSV, file, page, XLSX } from '../http/shapes'
import { batchesInTurn } from '../http/turns'
import { whileAllowed } from '../http/while-allowed'
import { tableFile } from '../lists/tables/table-file'
import { changesText, describeEntries } from './describe'
import { eachAuditEntry, listAudit } from './queries'
import { auditExport, auditFilters, checkMayReadHistory, historyParams, historyQuery } from './rules'

const COLUMNS = [
  { key: 'id', label: 'id', kind: 'count' as const },
  { key: 'at', label: 'at', kind: 'text' as const },
  ...['actor', 'source', 'address', 'action', 'entity'].map((key) => ({
    key,
    label: key,
    kind: 'text' as const,
  })),
  { key: 'entity_id', label: 'entity_id', kind: 'count' as const },
  { key: 'subject', label: 'subject', kind: 'text' as const },
  { key: 'upload_id', label: 'upload_id', kind: 'count' as const },
  { key: 'changes', label: 'changes', kind: 'text' as const },
  { key: 'token_name', label: 'token_name', kind: 'text' as const },
]

/** An audit entry without the IP address. Only administrators can see the address. */
const HISTORY = record(auditEntries, { changes: { type: 'object', additionalProperties: change } }, ['address'])

const trail = ({ db, clock, ...ctx }: AppContext) =>
  new Elysia({ prefix: '/audit', detail: about({ role: 'admin' }) })
    .use(signedIn({ db, clock, ...ctx }))
    .get('/', async ({ query }) => answerList(query, await listAudit(db, clock, query)), {
      query: auditFilters,
      detail: about({
        summary: 'List audit entries, newest first',
        description: 'Only for administrators. Audit entries cannot be edited or deleted.',
        answers: page(ref('AuditEntry')),
      }),
    })
    .get(
      '/export',
      ({ query, write }) => {
        async function* rows() {
          for await (const batch of eachAuditEntry(db, clock, query)) {
            yield (await describeEntries(db, batch, clock.timeZone)).map((entry) => ({
              ...entry,
              at: entry.at.toISOString(),
              changes: changesText(entry),
            }))
          }
        }
        return tableFile(
          query.format,
          `audit_${clock.today()}`,
          COLUMNS,
          whileAllowed(write, batchesInTurn(ctx, write, rows())),
        )
      },
      {
        query: auditExport,
        detail: about({
          summary: 'Export the audit trail',
          description: 'All entries that match the filters. `format` is csv or xlsx.',
          answers: file(CSV, XLSX),
        }),
      },
    )

const history = ({ db, clock, ...ctx }: AppContext) =>
  new Elysia({ prefix: '/history' }).use(signedIn({ db, clock, ...ctx })).get(
    '/:entity/:id',
    async ({ params, query, user }) => {
      checkMayReadHistory(user, params.entity)
      const { rows, total } = await listAudit(
        db,
        clock,
        auditFilters.parse({ ...query, entity: params.entity, entity_id: params.id }),
      )
      return answerList(query, { rows: rows.map(({ address: _, ...entry }) => entry), total })
    },
    {
      params: historyParams,
      query: historyQuery,
      detail: about({
        summary: 'List the changes of one record, newest first',
        description: '`entity` is the name of the table.',
        answers: page(HISTORY),
      }),
    },
  )

export const auditApi = (ctx: AppContext) =>
  new Elysia({ prefix: '/api', detail: about({ tags: ['audit'] }) }).use(trail(ctx)).use(history(ctx))
