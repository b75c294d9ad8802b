import { NOBODY } from '../../db/vocabulary'
import type { DueCounts } from '../../src/features/due/queries'
import type { DueFilters } from '../../src/features/due/rules'
import type { Meta } from '../../src/platform/http/answers'
import { paths, withQuery } from '../../src/platform/paths'
import { dueRules } from '../../src/platform/records/kind'
import type { SerializedRow } from '../../src/platform/records/listing'
import { showCount } from '../format'
import { Island } from '../island'
import { countLead, List } from '../ui/list'
import { PageHead } from '../ui/page-head'
import { Tabs } from '../ui/tabs'
import { type DueRow, dueColumns } from './columns'

type Props = {
  lines: SerializedRow<DueRow>[]
  /** Number of urgent items (severity `danger`) among `lines`. */
  dangers: number
  query: DueFilters
  meta: Meta
  /** Number of all items that are not snoozed. */
  toDo: number
  /** Numbers of items by kind that match the other filters. */
  counts: DueCounts
  nextWeek: string
  username: string
}

export function DuePage({ lines, dangers, query, meta, toDo, counts, nextWeek, username }: Props) {
  const { snoozed } = query
  return (
    <>
      <PageHead
        title="Due"
        lead={
          snoozed
            ? 'Snoozed items and when they become due again'
            : meta.total === 0
              ? countLead(query, 0, 'Nothing to do')
              : `${showCount(meta.total)} to do, most urgent first`
        }
      />
      <Tabs
        label="Due"
        tabs={[
          { href: paths.due.list, label: `To do (${showCount(toDo)})`, isCurrent: !snoozed },
          { href: withQuery(paths.due.list, { snoozed: 'true' }), label: 'Snoozed', isCurrent: snoozed },
        ]}
      />
      <List
        path={paths.due.list}
        query={{ ...query, sort: '', order: 'asc', snoozed: snoozed ? 'true' : null }}
        meta={meta}
        lines={lines}
        keep={snoozed ? { snoozed: 'true' } : {}}
        listName="due"
        caption={`Due items, ${dangers} urgent`}
        search="Search unit or details"
        filters={[
          {
            id: 'kinds',
            name: 'kind',
            label: 'Kind',
            any: 'All kinds',
            options: dueRules().map(({ name, label }) => ({
              value: name,
              label: `${label} (${showCount(counts[name] ?? 0)})`,
            })),
          },
          {
            name: 'when',
            label: 'When',
            any: 'Any time',
            options: [
              { value: 'today', label: 'Today and overdue' },
              { value: 'overdue', label: 'Overdue' },
            ],
          },
          {
            name: 'assigned_to',
            label: 'Owner',
            any: 'Anyone',
            options: [
              { value: username, label: 'Mine' },
              { value: NOBODY, label: 'Unassigned' },
            ],
          },
        ]}
        empty={
          snoozed
            ? { title: 'Nothing is snoozed', hint: 'Snoozed items appear here.' }
            : { title: 'Nothing is due', hint: 'Everything is done.' }
        }
        columns={dueColumns(nextWeek, snoozed)}
      />
      <Island name="modal" id="modal" props={{}} />
    </>
  )
}
