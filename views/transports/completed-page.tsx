import { MOVE_TYPES, type MoveType } from '../../db/vocabulary'
import type { Meta } from '../../src/http/answers'
import { paths, withQuery } from '../../src/paths'
import type { TransportFilters as TransportQuery, Transport as TransportRow } from '../../src/transports/queries'
import { showCount, showDate, showMoney } from '../format'
import { Island } from '../island'
import { Code, Full, Route } from '../ui/cells'
import { List } from '../ui/list'
import { PageHead } from '../ui/page-head'
import { Day } from '../ui/today'

type Total = { move_type: MoveType; count: number; total_cost: number }
type Props = {
  rows: TransportRow[]
  totals: Total[]
  query: TransportQuery & { start_date: string; end_date: string }
  meta: Meta
  refusal?: string
  later?: number
}

/** More than these are not counted one by one. */
const LATER_LIMIT = 1000

const dayAfter = (date: string) => new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)

export function CompletedTransportsPage({ rows, totals, query, meta, refusal, later = 0 }: Props) {
  const { start_date, end_date } = query
  return (
    <>
      <PageHead
        title="Completed Transport Report"
        lead={
          refusal
            ? undefined
            : `${showCount(meta.total)} delivered, moved ${showDate(start_date)} to ${showDate(end_date)}`
        }
      >
        <a
          className="button"
          href={withQuery(paths.api.completedTransports, { start_date, end_date, format: 'csv' })}
          download=""
        >
          Export CSV of this report
        </a>
      </PageHead>
      <form className="toolbar" method="get" action={paths.transports.completed}>
        <label className="filter">
          <span>Start date</span>
          <input type="date" name="start_date" defaultValue={start_date} />
        </label>
        <label className="filter">
          <span>End date</span>
          <input type="date" name="end_date" defaultValue={end_date} />
        </label>
        <button type="submit" className="button">
          Show
        </button>
      </form>
      {refusal && (
        <p className="banner banner-danger" role="alert">
          {refusal}
        </p>
      )}
      {later > 0 && (
        <p className="banner banner-warning">
          {later === 1
            ? '1 more delivered transport has'
            : `${later > LATER_LIMIT ? `More than ${showCount(LATER_LIMIT)}` : showCount(later)} more delivered transports have`}{' '}
          a move date after {showDate(end_date)}, so {later === 1 ? 'it is' : 'they are'} not counted here.{' '}
          <a href={withQuery(paths.transports.completed, { start_date: dayAfter(end_date), end_date: '2199-12-31' })}>
            Show them
          </a>
        </p>
      )}
      <div className="cards cards-four">
        {MOVE_TYPES.map((type) => {
          const total = totals.find((entry) => entry.move_type === type)
          return (
            <div key={type} className="card">
              <h2>{type}</h2>
              <p className="card-figure">{showMoney(total?.total_cost ?? 0)}</p>
              <p className="card-note">{showCount(total?.count ?? 0)} delivered</p>
            </div>
          )
        })}
      </div>
      <List
        path={paths.transports.completed}
        file={paths.api.exports('transports-completed')}
        keptAs="transports-completed"
        live="transports"
        rowScope=""
        query={query}
        meta={meta}
        rows={rows}
        caption="Completed transports"
        empty={{ title: 'Nothing was delivered in this period', hint: 'Choose other dates above.' }}
        columns={[
          {
            label: 'Unit #',
            sort: 'unit_number',
            width: 70,
            part: 'unit',
            cell: (row) => <a href={paths.vehicles.show(row.unit_number)}>{row.unit_number}</a>,
          },
          { label: 'RA #', sort: 'ra_number', width: 80, leaves: 'room', cell: (row) => <Code text={row.ra_number} /> },
          { label: 'Route', sort: 'location_in_name', part: 'main', cell: (row) => <Route row={row} /> },
          { label: 'Moved', sort: 'move_date', width: 84, part: 'due', cell: (row) => <Day date={row.move_date} /> },
          { label: 'Arrived', width: 84, cell: (row) => <Day date={row.actual_arrival_date} /> },
          { label: 'Type', sort: 'move_type', width: 56, leaves: 'room', cell: (row) => row.move_type },
          {
            label: 'Company',
            sort: 'transport_company_name',
            width: 200,
            part: 'place',
            leaves: 'spare',
            cell: (row) => <Full text={row.transport_company_name} />,
          },
          {
            label: 'Final cost',
            sort: 'final_cost',
            align: 'right',
            width: 100,
            part: 'sum',
            cell: (row) => showMoney(row.final_cost),
          },
          {
            label: 'Actions',
            isActions: true,
            width: 60,
            cell: (row) => (
              <div className="row-actions">
                <a
                  href={paths.transports.edit(row.id)}
                  data-modal=""
                  aria-label={`Edit transport of unit ${row.unit_number}`}
                >
                  Edit
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
