import { MOVE_TYPES, TRANSPORT_STATUSES } from '../../db/vocabulary'
import type { Meta } from '../../src/http/answers'
import { paths } from '../../src/paths'
import type { TransportFilters as TransportQuery, Transport as TransportRow } from '../../src/transports/queries'
import { NONE, showCount, showMoney } from '../format'
import { Island } from '../island'
import { Code, Full, Route } from '../ui/cells'
import { optionsOf } from '../ui/fields'
import { PlusIcon } from '../ui/icons'
import { List } from '../ui/list'
import type { Column } from '../ui/list-rows'
import { PageHead } from '../ui/page-head'
import { BulkDate, BulkSelect, pickColumn } from '../ui/selection'
import { Day, DueIn, daysBetween, lengthOf } from '../ui/today'

type Props = { rows: TransportRow[]; query: TransportQuery; meta: Meta; today: string }

export function ActiveTransportsPage({ rows, query, meta, today }: Props) {
  return (
    <>
      <PageHead title="Active Transports" lead={`${showCount(meta.total)} under way`}>
        <a className="button button-primary" href={paths.transports.create}>
          <PlusIcon /> New transport
        </a>
      </PageHead>
      <List
        path={paths.transports.active}
        file={paths.api.exports('transports-active')}
        keptAs="transports-active"
        live="transports"
        rowScope=""
        query={query}
        meta={meta}
        rows={rows}
        caption="Active transports"
        search="Search unit, RA, location or company"
        filters={[
          {
            name: 'status',
            label: 'Status',
            any: 'All statuses',
            options: optionsOf(TRANSPORT_STATUSES.filter((status) => status !== 'Delivered')),
          },
          { name: 'move_type', label: 'Move type', any: 'All move types', options: optionsOf(MOVE_TYPES) },
          {
            name: 'due',
            label: 'Due',
            any: 'Any time',
            options: [
              { value: 'late', label: 'Late' },
              { value: 'today', label: 'Today' },
              { value: 'week', label: 'Within a week' },
            ],
          },
        ]}
        empty={{
          title: 'No transports under way',
          hint: (
            <>
              <a href={paths.transports.create}>Enter one</a> or <a href={paths.files.upload}>upload a spreadsheet</a>.
            </>
          ),
        }}
        selection={{
          kind: 'transports',
          list: 'active',
          fields: (
            <>
              <BulkSelect name="status" label="Status" options={TRANSPORT_STATUSES} />
              <BulkDate name="actual_arrival_date" label="Arrived" />
              <BulkDate name="estimated_arrival_date" label="ETA" />
            </>
          ),
        }}
        columns={transportColumns(today)}
        rowClass={(row) => (isLate(row, today) ? 'is-late-row' : undefined)}
      />
      <Island name="modal" id="modal" props={{}} />
    </>
  )
}

const isLate = ({ status, estimated_arrival_date: eta }: TransportRow, today: string) =>
  status !== 'Delivered' && eta !== null && eta < today

/** Days late of which a bar is full. */
const LATE_SCALE = 14

const transportColumns = (today: string): Column<TransportRow>[] => [
  pickColumn(),
  {
    label: 'Unit #',
    sort: 'unit_number',
    width: 70,
    part: 'unit',
    cell: (row) => <a href={paths.vehicles.show(row.unit_number)}>{row.unit_number}</a>,
  },
  { label: 'Status', sort: 'status', width: 164, part: 'state', cell: (row) => <TransportStatusCell row={row} /> },
  { label: 'Route', sort: 'location_in_name', part: 'main', cell: (row) => <Route row={row} /> },
  { label: 'Moves', sort: 'move_date', width: 64, cell: (row) => <Day date={row.move_date} /> },
  {
    label: 'ETA',
    sort: 'estimated_arrival_date',
    width: 64,
    leaves: 'room',
    cell: (row) => <Day date={row.estimated_arrival_date} />,
  },
  {
    label: 'Due',
    width: 84,
    part: 'due',
    tone: ({ estimated_arrival_date: eta, ...row }) =>
      eta && isLate({ estimated_arrival_date: eta, ...row }, today)
        ? (lengthOf(Math.max(daysBetween(eta, today), 1), LATE_SCALE, 'danger') ?? 'len len-1 tone-danger')
        : undefined,
    cell: ({ estimated_arrival_date: eta, status }) =>
      status === 'Delivered' ? 'arrived' : eta ? <DueIn date={eta} today={today} /> : NONE,
  },
  { label: 'Type', sort: 'move_type', width: 52, leaves: 'room', cell: (row) => row.move_type },
  { label: 'RA #', sort: 'ra_number', width: 74, leaves: 'room', cell: (row) => <Code text={row.ra_number} /> },
  {
    label: 'Company',
    sort: 'transport_company_name',
    width: 132,
    leaves: 'spare',
    cell: (row) => <Full text={row.transport_company_name} />,
  },
  {
    label: 'Est. cost',
    sort: 'estimated_cost',
    align: 'right',
    width: 88,
    part: 'sum',
    cell: (row) => showMoney(row.estimated_cost),
  },
  {
    label: 'Actions',
    isActions: true,
    width: 92,
    cell: (row) => (
      <div className="row-actions">
        <a href={paths.transports.edit(row.id)} data-modal="" aria-label={`Edit transport of unit ${row.unit_number}`}>
          Edit
        </a>
        <a
          href={paths.transports.remove(row.id)}
          className="is-danger"
          data-modal=""
          aria-label={`Delete transport of unit ${row.unit_number}`}
        >
          Delete
        </a>
      </div>
    ),
  },
]

function TransportStatusCell({ row }: { row: TransportRow }) {
  return (
    <Island
      name="status-dropdown"
      id={`transport-status-${row.id}`}
      props={{
        of: `Unit ${row.unit_number}`,
        status: row.status,
        version: row.version,
        options: TRANSPORT_STATUSES,
        leaving: 'Delivered',
        day: { name: 'actual_arrival_date', label: 'Arrived' },
        api: paths.api.transport(row.id),
        action: paths.transports.status(row.id),
      }}
    />
  )
}
