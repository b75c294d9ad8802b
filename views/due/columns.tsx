import type { DueItem } from '../../src/features/due/queries'
import { paths } from '../../src/platform/paths'
import { formatDaysOverdue } from '../../src/platform/records/kind'
import { showDate } from '../format'
import { Full } from '../ui/cells'
import type { Column } from '../ui/list-rows'
import { RowForm } from '../ui/row-form'
import { dueRule, recordOf } from './rules'

/** Row of the due list. Its `id` combines the record's id and the kind, so that it is unique in the list. */
export type DueRow = Omit<DueItem, 'id'> & { id: number; item: DueItem }

export const dueColumns = (nextWeek: string, snoozed: boolean): Column<DueRow>[] => [
  {
    label: 'Unit #',
    width: 70,
    part: 'unit',
    cell: ({ item }) => <a href={paths.vehicles.show(item.unit_number)}>{item.unit_number}</a>,
  },
  {
    label: 'Age',
    width: 92,
    part: 'due',
    cell: ({ item }) => <span className={`due-far is-${item.severity}`}>{formatDaysOverdue(item)}</span>,
  },
  { label: 'Action', width: 76, part: 'sum', cell: ({ item }) => <Verb item={item} /> },
  {
    label: 'Item',
    width: 156,
    part: 'state',
    leaves: 'spare',
    cell: ({ item }) => (
      <a className="plain-link" href={recordOf(item)}>
        {dueRule(item).label}
      </a>
    ),
  },
  {
    label: 'Owner',
    width: 84,
    leaves: 'room',
    cell: ({ item }) => <OwnerLink item={item} />,
  },
  {
    label: 'Details',
    part: 'main',
    cell: ({ text, item }) => (
      <a className="plain-link two-lines" href={recordOf(item)}>
        <Full text={text} />
      </a>
    ),
  },
  ...(snoozed
    ? [
        {
          label: 'Snoozed',
          width: 130,
          isOnCard: true,
          cell: ({ snoozed_until, snooze_reason }: DueRow) =>
            snoozed_until ? `until ${showDate(snoozed_until)}` : (snooze_reason ?? ''),
        },
      ]
    : []),
  {
    label: 'Actions',
    isActions: true,
    isOnCard: true,
    width: snoozed ? 84 : 236,
    cell: ({ item }) => <Actions item={item} nextWeek={nextWeek} />,
  },
]

function Verb({ item }: { item: DueItem }) {
  const { verb, href, send } = dueRule(item)
  const label = `${verb}, unit ${item.unit_number}`
  if (send)
    return (
      <div className="once">
        <RowForm action={send(item)}>
          <button type="submit" className="link" aria-label={label}>
            {verb}
          </button>
        </RowForm>
      </div>
    )
  return (
    <a href={href(item)} data-modal="" aria-label={label}>
      {verb}
    </a>
  )
}

const OwnerLink = ({
  item: { kind, id, unit_number, assigned_to },
  ...props
}: {
  item: DueItem
  className?: string
}) => (
  <a
    href={paths.due.assign(kind, id)}
    className="plain-link"
    data-modal=""
    aria-label={`Assign unit ${unit_number}`}
    {...props}
  >
    {assigned_to ?? 'Assign'}
  </a>
)

function Actions({ item, nextWeek }: { item: DueItem; nextWeek: string }) {
  const { kind, id, unit_number, snoozed_until, snooze_reason } = item
  if (snoozed_until || snooze_reason)
    return (
      <div className="row-actions">
        <form
          method="post"
          action={paths.due.unsnooze(kind, id)}
          data-row-form=""
          data-failed="Failed to end the snooze"
        >
          <button type="submit" className="link">
            Unsnooze
          </button>
        </form>
      </div>
    )
  return (
    <div className="row-actions once">
      <form method="post" action={paths.due.snooze(kind, id)} data-row-form="" data-failed="Failed to snooze">
        <input type="hidden" name="until" value={nextWeek} />
        <button type="submit" className="link" aria-label={`Snooze 1 week, unit ${unit_number}`}>
          Snooze 1 week
        </button>
      </form>
      <a href={paths.due.snooze(kind, id)} data-modal="" aria-label={`Snooze…, unit ${unit_number}`}>
        Snooze…
      </a>
      {/* Show the owner here in narrow windows, which hide the owner column. */}
      <OwnerLink item={item} className="in-narrow plain-link" />
    </div>
  )
}
