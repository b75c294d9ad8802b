import { TITLE_OVERDUE_DAYS } from '../../db/vocabulary'
import type { Title as TitleRow } from '../../src/features/titles/queries'
import { paths } from '../../src/platform/paths'
import { NONE, showCount } from '../format'
import { Full } from '../ui/cells'
import { useColumns } from '../ui/layouts'
import { type Column, ListRow } from '../ui/list-rows'
import { actionsWidth, RowActions } from '../ui/row-actions'
import { RowForm } from '../ui/row-form'
import { pickColumn } from '../ui/selection'
import { Day, lengthOf } from '../ui/today'

export type TitleTab = 'pending' | 'overdue' | 'transferred'

const WARNING_DAYS = 14

/** A bar has its full length at this number of pending days. */
const DAYS_SCALE = 250

const toneOf = ({ transferred_date, days_pending }: TitleRow) =>
  transferred_date
    ? undefined
    : days_pending > TITLE_OVERDUE_DAYS
      ? 'danger'
      : days_pending > WARNING_DAYS
        ? 'warning'
        : undefined
export const tintOf = (row: TitleRow) => toneOf(row) && `tint-${toneOf(row)}`

export const titleColumns = (tab: TitleTab): Column<TitleRow>[] => [
  pickColumn(),
  {
    label: 'Unit #',
    sort: 'unit_number',
    width: 70,
    part: 'unit',
    cell: (row) => <a href={paths.titles.show(row.id)}>{row.unit_number}</a>,
  },
  {
    label: 'Location',
    sort: 'location_name',
    width: 116,
    part: 'place',
    cell: (row) => <Full text={row.location_name} />,
  },
  { label: 'Dealer', sort: 'dealer_name', part: 'main', cell: (row) => <Full text={row.dealer_name} /> },
  { label: 'Contact', leaves: 'room', cell: (row) => <Full text={row.dealer_contact} /> },
  {
    label: 'Submitted',
    sort: 'submitted_date',
    width: 84,
    leaves: 'spare',
    cell: (row) => <Day date={row.submitted_date} />,
  },
  ...(tab === 'transferred'
    ? [
        {
          label: 'Transferred',
          sort: 'transferred_date',
          width: 106,
          cell: (row: TitleRow) => <Day date={row.transferred_date} />,
        },
      ]
    : []),
  {
    label: 'Days pending',
    sort: 'days_pending',
    align: 'right',
    width: 96,
    part: 'due',
    tone: (row) => (row.transferred_date ? undefined : lengthOf(row.days_pending, DAYS_SCALE, toneOf(row))),
    cell: (row) => (
      <span className={toneOf(row) === 'danger' ? 'figure-alarm' : undefined}>{showCount(row.days_pending)}</span>
    ),
  },
  ...(tab === 'transferred'
    ? []
    : [
        {
          label: 'Contacted',
          sort: 'last_chased_on',
          width: 84,
          leaves: 'spare' as const,
          cell: (row: TitleRow) => <Day date={row.last_chased_on} />,
        },
        {
          label: 'Follow up',
          sort: 'next_chase_on',
          width: 80,
          tone: (row: TitleRow) => (row.next_chase_on ? 'sum next' : undefined),
          cell: (row: TitleRow) => <Day date={row.next_chase_on} />,
        },
      ]),
  { label: 'Notes', leaves: 'room', cell: (row) => <Full text={row.notes} max={40} /> },
  { label: 'Stage', isExtra: true, width: 90, cell: ({ stage }) => stage ?? NONE },
  { label: 'Entered by', isExtra: true, width: 90, cell: (row) => <Full text={row.created_by} /> },
  {
    label: 'Actions',
    isActions: true,
    isOnCard: true,
    width: actionsWidth(tab === 'transferred' ? 3 : 4),
    cell: (row) => <TitleActions row={row} />,
  },
]

/**
 * Row of a title that a user has just changed. It stays in the list, even if it no longer matches the filters, until
 * the list is reloaded.
 */
export const TitleListRow = ({ row, tab, isChanged }: { row: TitleRow; tab: TitleTab; isChanged: boolean }) => (
  <ListRow
    row={row}
    columns={useColumns('titles', titleColumns(tab))}
    className={isChanged ? 'is-changed' : tintOf(row)}
  />
)

export const transferPath = ({ id, transferred_date }: TitleRow) =>
  transferred_date === null ? paths.titles.transfer(id) : paths.titles.reopen(id)

export function TransferButton({ row, className }: { row: TitleRow; className: string }) {
  const isPending = row.transferred_date === null
  return (
    <>
      <input type="hidden" name="version" value={row.version} />
      <button
        type="submit"
        className={className}
        id={`transfer-${row.id}`}
        title={`${isPending ? 'Mark transferred' : 'Reopen'}, unit ${row.unit_number}`}
      >
        {isPending ? 'Mark Transferred' : 'Reopen'}
      </button>
    </>
  )
}

export function TitleActions({ row }: { row: TitleRow }) {
  const isPending = row.transferred_date === null
  return (
    <RowActions label={row.unit_number} edit={paths.titles.edit(row.id)} remove={paths.titles.remove(row.id)}>
      <RowForm action={transferPath(row)}>
        <TransferButton row={row} className={isPending ? 'icon-done' : 'icon-reopen'} />
      </RowForm>
      {isPending && (
        <a
          href={paths.titles.chase(row.id)}
          className="icon-contact"
          data-modal=""
          title={`Follow up on the title of unit ${row.unit_number}`}
        >
          Follow up
        </a>
      )}
    </RowActions>
  )
}
