import type { Meta } from '../../src/http/answers'
import { paths, withQuery } from '../../src/paths'
import type { TitleFilters as TitleQuery, Title as TitleRow } from '../../src/titles/queries'
import { showCount } from '../format'
import { Island } from '../island'
import { Full } from '../ui/cells'
import { PlusIcon } from '../ui/icons'
import { List } from '../ui/list'
import { type Column, ListRow } from '../ui/list-rows'
import { PageHead } from '../ui/page-head'
import { BulkDate, pickColumn } from '../ui/selection'
import { Tabs } from '../ui/tabs'
import { Day, lengthOf } from '../ui/today'

export type TitleTab = 'pending' | 'overdue' | 'transferred'
type Totals = { pending: number; transferred: number; overdue: number }
type Props = { tab: TitleTab; rows: TitleRow[]; query: TitleQuery; meta: Meta; totals: Totals }

const WARNING_DAYS = 14
const DANGER_DAYS = 30

/** Days of which a bar is full. */
const DAYS_SCALE = 250

/** How grave it is that a title is still pending: over 14 days a warning, over 30 a danger. */
const toneOf = ({ transferred_date, days_pending }: TitleRow) =>
  transferred_date
    ? undefined
    : days_pending > DANGER_DAYS
      ? 'danger'
      : days_pending > WARNING_DAYS
        ? 'warning'
        : undefined
const tintOf = (row: TitleRow) => toneOf(row) && `tint-${toneOf(row)}`

export function TitlesPage({ tab, rows, query, meta, totals }: Props) {
  const path = paths.titles.list
  return (
    <>
      <PageHead title="Title Tracking" lead={`${showCount(totals.overdue)} pending for more than ${DANGER_DAYS} days`}>
        <a className="button button-primary" href={paths.titles.create} data-modal="">
          <PlusIcon /> Add title
        </a>
      </PageHead>
      <Tabs
        label="Titles"
        tabs={[
          { href: path, label: `Pending Titles (${showCount(totals.pending)})`, isCurrent: tab === 'pending' },
          {
            href: withQuery(path, { tab: 'transferred' }),
            label: `Transferred Titles (${showCount(totals.transferred)})`,
            isCurrent: tab === 'transferred',
          },
          {
            href: withQuery(path, { tab: 'overdue' }),
            label: `Overdue (${showCount(totals.overdue)})`,
            isCurrent: tab === 'overdue',
          },
        ]}
      />
      <List
        path={path}
        file={paths.api.exports(`titles-${tab}`)}
        keptAs="titles"
        live="titles"
        rowScope={tab}
        query={{ ...query, tab: tab === 'pending' ? null : tab }}
        meta={meta}
        rows={rows}
        keep={tab === 'pending' ? {} : { tab }}
        caption="Titles"
        search="Search unit, dealer or location"
        empty={{
          title: tab === 'transferred' ? 'No title was transferred yet' : 'No title is pending',
          hint: <a href={paths.titles.create}>Add a title</a>,
        }}
        rowClass={tintOf}
        selection={{
          kind: 'titles',
          list: tab,
          fields: <BulkDate name="transferred_date" label="Transferred" />,
        }}
        columns={titleColumns(tab)}
      />
      <Island name="modal" id="modal" props={{}} />
    </>
  )
}

const titleColumns = (tab: TitleTab): Column<TitleRow>[] => [
  pickColumn(),
  {
    label: 'Unit #',
    sort: 'unit_number',
    width: 70,
    part: 'unit',
    cell: (row) => <a href={paths.titles.show(row.id)}>{row.unit_number}</a>,
  },
  { label: 'Location', sort: 'location_name', part: 'place', cell: (row) => <Full text={row.location_name} /> },
  { label: 'Dealer', sort: 'dealer_name', part: 'main', cell: (row) => <Full text={row.dealer_name} /> },
  { label: 'Contact', leaves: 'room', cell: (row) => <Full text={row.dealer_contact} /> },
  {
    label: 'Submitted',
    sort: 'submitted_date',
    width: 98,
    leaves: 'spare',
    cell: (row) => <Day date={row.submitted_date} />,
  },
  ...(tab === 'transferred'
    ? [
        {
          label: 'Transferred',
          sort: 'transferred_date',
          width: 92,
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
          label: 'Asked',
          sort: 'last_chased_on',
          width: 76,
          cell: (row: TitleRow) => <Day date={row.last_chased_on} />,
        },
        {
          label: 'Ask again',
          sort: 'next_chase_on',
          width: 80,
          leaves: 'spare' as const,
          cell: (row: TitleRow) => <Day date={row.next_chase_on} />,
        },
      ]),
  { label: 'Notes', leaves: 'room', cell: (row) => <Full text={row.notes} /> },
  { label: 'Actions', isActions: true, isOnCard: true, width: 222, cell: (row) => <TitleActions row={row} /> },
]

/** A title's row after a change; it stays where it stands until the list is asked for again. */
export const TitleListRow = ({ row, tab, isChanged }: { row: TitleRow; tab: TitleTab; isChanged: boolean }) => (
  <ListRow row={row} columns={titleColumns(tab)} className={isChanged ? 'is-changed' : tintOf(row)} />
)

export function TitleActions({ row }: { row: TitleRow }) {
  const isPending = row.transferred_date === null
  return (
    <div className="row-actions">
      <form
        method="post"
        action={isPending ? paths.titles.transfer(row.id) : paths.titles.reopen(row.id)}
        data-row-form=""
      >
        <input type="hidden" name="version" value={row.version} />
        <button
          type="submit"
          className="link"
          id={`transfer-${row.id}`}
          aria-label={`${isPending ? 'Mark transferred' : 'Reopen'}, unit ${row.unit_number}`}
        >
          {isPending ? 'Mark Transferred' : 'Reopen'}
        </button>
      </form>
      {isPending && (
        <a href={paths.titles.chase(row.id)} data-modal="" aria-label={`Ask for the title of unit ${row.unit_number}`}>
          Ask
        </a>
      )}
      <a href={paths.titles.edit(row.id)} data-modal="" aria-label={`Edit title of unit ${row.unit_number}`}>
        Edit
      </a>
      <a
        href={paths.titles.remove(row.id)}
        className="is-danger"
        data-modal=""
        aria-label={`Delete title of unit ${row.unit_number}`}
      >
        Delete
      </a>
    </div>
  )
}
