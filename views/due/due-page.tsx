import { DUE_KINDS, NOBODY } from '../../db/vocabulary'
import type { DueCounts, DueItem } from '../../src/due/queries'
import type { DueFilters } from '../../src/due/rules'
import type { Meta } from '../../src/http/answers'
import { paths, withQuery } from '../../src/paths'
import { showCount, showDate } from '../format'
import { Island } from '../island'
import { Full } from '../ui/cells'
import { List } from '../ui/list'
import type { Column } from '../ui/list-rows'
import { PageHead } from '../ui/page-head'
import { Tabs } from '../ui/tabs'
import { howFar, KINDS, recordOf } from './kinds'

type Props = { rows: DueItem[]; query: DueFilters; meta: Meta; counts: DueCounts; nextWeek: string; username: string }
/** A list knows its rows by number; records of several kinds share theirs. */
type Row = Omit<DueItem, 'id'> & { id: number; item: DueItem }

/** Everything that waits for somebody, the worst first. */
export function DuePage({ rows, query, meta, counts, nextWeek, username }: Props) {
  const { snoozed } = query
  const shown: Row[] = rows.map((item, id) => ({ ...item, id, item }))
  const dangers = rows.filter(({ severity }) => severity === 'danger').length
  return (
    <>
      <PageHead
        title="Due"
        lead={snoozed ? 'What was put off, and until when' : `${showCount(meta.total)} to do, the worst first`}
      />
      <Tabs
        label="Due"
        tabs={[
          { href: paths.due.list, label: `To do (${showCount(counts.total)})`, isCurrent: !snoozed },
          { href: withQuery(paths.due.list, { snoozed: 'true' }), label: 'Put off', isCurrent: snoozed },
        ]}
      />
      <List
        path={paths.due.list}
        query={{ ...query, sort: '', order: 'asc', snoozed: snoozed ? 'true' : null }}
        meta={meta}
        rows={shown}
        keep={snoozed ? { snoozed: 'true' } : {}}
        keptAs="due"
        caption={`Due work, ${dangers} grave`}
        search="Search unit, place or words"
        filters={[
          {
            name: 'kind',
            label: 'Kind',
            any: 'All kinds',
            options: DUE_KINDS.map((kind) => ({
              value: kind,
              label: snoozed ? KINDS[kind].label : `${KINDS[kind].label} (${showCount(counts[kind])})`,
            })),
          },
          {
            name: 'assigned_to',
            label: 'Whose',
            any: "Everybody's",
            options: [
              { value: username, label: 'Mine' },
              { value: NOBODY, label: "Nobody's" },
            ],
          },
        ]}
        empty={{ title: snoozed ? 'Nothing is put off' : 'Nothing is due', hint: 'Everything is done.' }}
        columns={columns(nextWeek, snoozed)}
      />
      <Island name="modal" id="modal" props={{}} />
    </>
  )
}

const columns = (nextWeek: string, snoozed: boolean): Column<Row>[] => [
  {
    label: 'Unit #',
    width: 70,
    part: 'unit',
    cell: ({ item }) => <a href={paths.vehicles.show(item.unit_number)}>{item.unit_number}</a>,
  },
  {
    label: 'How far',
    width: 110,
    part: 'due',
    cell: ({ item }) => <span className={`due-far is-${item.severity}`}>{howFar(item)}</span>,
  },
  { label: 'Do', width: 90, part: 'sum', cell: ({ item }) => <Verb item={item} /> },
  {
    label: 'What',
    width: 180,
    part: 'state',
    cell: ({ item }) => <a href={recordOf(item)}>{KINDS[item.kind].label}</a>,
  },
  { label: 'Details', part: 'main', cell: ({ text }) => <Full text={text} /> },
  {
    label: 'Whose',
    width: 100,
    leaves: 'room',
    cell: ({ item }) => <Whose item={item} />,
  },
  ...(snoozed
    ? [
        {
          label: 'Put off',
          width: 130,
          leaves: 'room' as const,
          cell: ({ snoozed_until, snooze_reason }: Row) =>
            snoozed_until ? `until ${showDate(snoozed_until)}` : (snooze_reason ?? ''),
        },
      ]
    : []),
  {
    label: 'Actions',
    isActions: true,
    isOnCard: true,
    width: 150,
    cell: ({ item }) => <Actions item={item} nextWeek={nextWeek} />,
  },
]

/** The one thing that is done about it. */
function Verb({ item }: { item: DueItem }) {
  const { verb, at } = KINDS[item.kind]
  const isPage = item.kind === 'osl_stale'
  return (
    <a href={at(item)} data-modal={isPage ? undefined : ''} aria-label={`${verb}, unit ${item.unit_number}`}>
      {verb}
    </a>
  )
}

/** Whose it is; to be changed. */
const Whose = ({ item: { kind, id, unit_number, assigned_to }, ...given }: { item: DueItem; className?: string }) => (
  <a href={paths.due.assign(kind, id)} data-modal="" aria-label={`Assign unit ${unit_number}`} {...given}>
    {assigned_to ?? 'Assign'}
  </a>
)

function Actions({ item, nextWeek }: { item: DueItem; nextWeek: string }) {
  const { kind, id, unit_number, snoozed_until, snooze_reason } = item
  if (snoozed_until || snooze_reason)
    return (
      <div className="row-actions">
        <form method="post" action={paths.due.unsnooze(kind, id)}>
          <button type="submit" className="link">
            Bring back
          </button>
        </form>
      </div>
    )
  return (
    <div className="row-actions">
      <form method="post" action={paths.due.snooze(kind, id)}>
        <input type="hidden" name="until" value={nextWeek} />
        <button type="submit" className="link" aria-label={`Put off unit ${unit_number} for a week`}>
          In a week
        </button>
      </form>
      <a href={paths.due.snooze(kind, id)} data-modal="" aria-label={`Put off unit ${unit_number}`}>
        Put off…
      </a>
      {/* Where its column has left. */}
      <Whose item={item} className="in-narrow" />
    </div>
  )
}
