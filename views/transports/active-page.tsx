import { MOVE_TYPES, TRANSPORT_STATUSES } from '../../db/vocabulary'
import type { Meta } from '../../src/http/answers'
import { paths } from '../../src/paths'
import type { TransportFilters as TransportQuery, Transport as TransportRow } from '../../src/transports/queries'
import { NONE, showCount, showDate, showMoney } from '../format'
import { Island } from '../island'
import { optionsOf } from '../ui/fields'
import { PlusIcon } from '../ui/icons'
import { List } from '../ui/list'
import { PageHead } from '../ui/page-head'
import { BulkDate, BulkSelect, pickColumn } from '../ui/selection'

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
        columns={[
          pickColumn(),
          {
            label: 'Unit #',
            sort: 'unit_number',
            cell: (row) => <a href={paths.vehicles.show(row.unit_number)}>{row.unit_number}</a>,
          },
          { label: 'Status', sort: 'status', cell: (row) => <TransportStatusCell row={row} /> },
          { label: 'RA #', sort: 'ra_number', cell: (row) => row.ra_number ?? NONE },
          { label: 'Location out', sort: 'location_out_name', cell: (row) => row.location_out_name },
          { label: 'Location in', sort: 'location_in_name', cell: (row) => row.location_in_name },
          { label: 'Move date', sort: 'move_date', cell: (row) => showDate(row.move_date) },
          { label: 'ETA', sort: 'estimated_arrival_date', cell: (row) => <Eta row={row} today={today} /> },
          { label: 'Type', sort: 'move_type', cell: (row) => row.move_type },
          { label: 'Company', sort: 'transport_company_name', cell: (row) => row.transport_company_name },
          { label: 'Est. cost', sort: 'estimated_cost', align: 'right', cell: (row) => showMoney(row.estimated_cost) },
          {
            label: 'Actions',
            isActions: true,
            cell: (row) => (
              <div className="row-actions">
                <a
                  href={paths.transports.edit(row.id)}
                  data-modal=""
                  aria-label={`Edit transport of unit ${row.unit_number}`}
                >
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
        ]}
      />
      <Island name="modal" id="modal" props={{}} />
    </>
  )
}

function Eta({ row, today }: { row: TransportRow; today: string }) {
  const isLate = row.estimated_arrival_date !== null && row.estimated_arrival_date < today
  return isLate ? (
    <span className="is-late">{showDate(row.estimated_arrival_date)} late</span>
  ) : (
    showDate(row.estimated_arrival_date)
  )
}

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
