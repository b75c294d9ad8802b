import { paths } from '../../src/platform/paths'
import { recordPage } from '../../src/platform/records/kind'
import { showCount, showInstant } from '../format'
import { List } from '../ui/list'
import { PageHead } from '../ui/page-head'
import { recordName } from './audit-page'
import { ActionBadge, Changes, type Entry, type Meta, Source } from './changes'

type Props = {
  entity: string
  id: number
  /**
   * True if the record is deleted. `restorePath` is then the route that restores it. `restorePath` is undefined if the
   * user cannot restore the record.
   */
  isGone: boolean
  restorePath: string | undefined
  rows: Entry[]
  query: { page: number; per_page: number; sort: string; order: 'asc' | 'desc' }
  meta: Meta
  timeZone: string
}

export function HistoryPage({ entity, id, isGone, restorePath, rows, query, meta, timeZone }: Props) {
  const to = isGone ? null : recordPage(entity, { id, unit_number: rows[0]?.subject ?? '' })
  return (
    <>
      <PageHead
        title="History"
        lead={
          `${rows[0] ? recordName(rows[0]) : 'This record'}: ` +
          `${meta.total === 1 ? '1 change' : `${showCount(meta.total)} changes`}${isGone ? ', now deleted' : ''}`
        }
      >
        {to && (
          <a className="button" href={to}>
            Open the record
          </a>
        )}
        {restorePath && (
          <form method="post" action={restorePath}>
            <button type="submit" className="button button-primary">
              Restore
            </button>
          </form>
        )}
      </PageHead>
      <List
        path={paths.history(entity, id)}
        query={query}
        meta={meta}
        rows={rows}
        caption="Changes to this record"
        empty={{ title: 'No changes', hint: 'This record has no entries in the audit trail.' }}
        columns={[
          { label: 'When', sort: 'at', cell: (entry) => showInstant(entry.at, timeZone) },
          { label: 'User', cell: (entry) => entry.actor ?? 'Yardmaster' },
          { label: 'Source', cell: (entry) => <Source entry={entry} /> },
          { label: 'Action', cell: (entry) => <ActionBadge action={entry.action} /> },
          { label: 'Values', cell: (entry) => <Changes entry={entry} /> },
        ]}
      />
    </>
  )
}
