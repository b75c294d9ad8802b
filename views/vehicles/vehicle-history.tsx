import { useContext } from 'react'
import type { Vehicle as VehicleRow } from '../../src/features/vehicles/find'
import type { YearOfCosts } from '../../src/features/vehicles/history/costs'
import type { VehicleHistory as History } from '../../src/features/vehicles/history/queries'
import { paths, withQuery } from '../../src/platform/paths'
import { HISTORY_LIMIT } from '../../src/platform/records/kind'
import { areCostsSeen } from '../costs'
import { cut, NONE, showCount, showDate, showMoney } from '../format'
import { Island } from '../island'
import { OslBadge, StatusBadge, VehicleBadge } from '../ui/badge'
import { Stamps } from '../ui/facts'
import { TablePanel } from '../ui/plain-table'
import { RecordStrip } from '../ui/record-strip'
import { Today } from '../ui/today'

const sumOf = (amounts: (number | null)[]) => amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), 0)

/** Returns the number of records and their total amount. If the history lacks older records, both are unknown. */
function inAll(amounts: (number | null)[]): string {
  if (amounts.length >= HISTORY_LIMIT) return `${showCount(HISTORY_LIMIT)} or more`
  const count = amounts.length === 0 ? '' : showCount(amounts.length)
  const sum = sumOf(amounts)
  return sum > 0 && areCostsSeen() ? `${count}, ${showMoney(sum)}` : count
}

function Head({ vehicle, costs }: { vehicle: VehicleRow; costs: YearOfCosts[] }) {
  const { unit_number, vin, model_year, current_mileage, current_status, current_location } = vehicle
  const since = costs.at(-1)?.year
  return (
    <section className="panel">
      <div className="page-head has-many-actions">
        <h2>
          Unit <span className="id">{unit_number}</span>
        </h2>
        <div className="page-actions">
          <a className="button" href={withQuery(paths.transports.create, { unit_number })}>
            New transport
          </a>
          <a className="button" href={withQuery(paths.osl.create, { unit_number })}>
            New OSL entry
          </a>
          <a className="button" href={paths.vehicles.edit(unit_number)} data-modal="">
            Edit vehicle
          </a>
        </div>
      </div>
      <RecordStrip
        facts={[
          ['Status', current_status ? <VehicleBadge status={current_status} /> : 'Unknown'],
          ['Location', current_location ?? 'No location on record'],
          ['VIN', vin && <span className="code">{vin}</span>],
          ['Model year', model_year],
          ['Mileage', showCount(current_mileage)],
        ]}
        figures={since ? [[`Cost since ${since}`, showMoney(sumOf(costs.map(({ total_cost }) => total_cost)))]] : []}
      />
      <Stamps record={vehicle} entity="vehicles" />
    </section>
  )
}

/** A full date. The `time` element prevents line breaks. */
const fullDate = (date: string | null) => <time>{showDate(date)}</time>

/** Maximum number of shown records of each kind. */
const SHOWN_RECORDS = 200

export function VehicleHistory({ history, costs }: { history: History; costs: YearOfCosts[] }) {
  const { vehicle, transports, osl_logs, registrations, titles } = history
  const today = useContext(Today)
  const validUntil = registrations
    .map(({ date_expires }) => date_expires)
    .sort()
    .at(-1)
  return (
    <>
      <Head vehicle={vehicle} costs={costs} />
      {areCostsSeen() && <Costs costs={costs} />}
      <TablePanel
        title="Transports"
        // Add up only the costs of delivered transports, because the costs of the vehicle include no others.
        sum={inAll(transports.map(({ final_cost, status }) => (status === 'Delivered' ? final_cost : null)))}
        caption="Transports"
        rows={transports}
        latest={SHOWN_RECORDS}
        empty="No transports"
        columns={[
          { label: 'Move date', cell: (row) => <a href={paths.transports.edit(row.id)}>{fullDate(row.move_date)}</a> },
          { label: 'Location out', cell: (row) => row.location_out_name },
          { label: 'Location in', cell: (row) => row.location_in_name },
          { label: 'Company', cell: (row) => row.transport_company_name },
          { label: 'Final cost', align: 'right', isCost: true, cell: (row) => showMoney(row.final_cost) },
          { label: 'Status', cell: (row) => <StatusBadge status={row.status} /> },
        ]}
      />
      <TablePanel
        title="OSL entries"
        sum={inAll(osl_logs.map(({ storage_fees_total }) => storage_fees_total))}
        caption="OSL entries"
        rows={osl_logs}
        latest={SHOWN_RECORDS}
        empty="Never out of service"
        columns={[
          { label: 'OSL date', cell: (row) => <a href={paths.osl.show(row.id)}>{fullDate(row.osl_date)}</a> },
          { label: 'Location', cell: (row) => row.location_name },
          { label: 'Problem', cell: (row) => <span title={row.problem}>{cut(row.problem, 60)}</span> },
          { label: 'Days', align: 'right', cell: (row) => showCount(row.days_out_of_service) },
          { label: 'Storage fees', align: 'right', isCost: true, cell: (row) => showMoney(row.storage_fees_total) },
          {
            label: 'Status',
            cell: (row) => <OslBadge status={row.status} />,
          },
        ]}
      />
      <TablePanel
        title="Registrations"
        sum={inAll(registrations.map(({ cost, vlt }) => sumOf([cost, vlt])))}
        caption="Registrations"
        rows={registrations}
        latest={SHOWN_RECORDS}
        empty="No registrations"
        columns={[
          {
            label: 'Plate',
            cell: (row) => <a href={paths.registrations.edit(row.id)}>{`${row.plate_number} ${row.state_province}`}</a>,
          },
          { label: 'Type', cell: (row) => row.registration_type },
          { label: 'Issued', cell: (row) => fullDate(row.date_issued) },
          {
            label: 'Expires',
            cell: (row) => (
              <span className={row.date_expires === validUntil && validUntil < today ? 'figure-alarm' : undefined}>
                {fullDate(row.date_expires)}
              </span>
            ),
          },
          { label: 'Cost and VLT', align: 'right', isCost: true, cell: (row) => showMoney(sumOf([row.cost, row.vlt])) },
          { label: 'Received', cell: (row) => (row.received ? 'Yes' : 'No') },
        ]}
      />
      <TablePanel
        title="Titles"
        sum={inAll(titles.map(() => null))}
        caption="Titles"
        rows={titles}
        latest={SHOWN_RECORDS}
        empty="No titles"
        columns={[
          { label: 'Submitted', cell: (row) => <a href={paths.titles.show(row.id)}>{fullDate(row.submitted_date)}</a> },
          { label: 'Dealer', cell: (row) => row.dealer_name ?? NONE },
          { label: 'Transferred', cell: (row) => fullDate(row.transferred_date) },
          { label: 'Days pending', align: 'right', cell: (row) => showCount(row.days_pending) },
        ]}
      />
      <Island name="modal" id="modal" props={{}} />
    </>
  )
}

const Costs = ({ costs }: { costs: YearOfCosts[] }) => (
  <TablePanel
    title="Costs"
    caption="Costs by year"
    rows={costs.map((cost) => ({ id: cost.year, ...cost }))}
    empty="No costs"
    columns={[
      { label: 'Year', cell: (row) => row.year },
      { label: 'Transports', align: 'right', cell: (row) => showMoney(row.transport_cost) },
      { label: 'Registrations and VLT', align: 'right', cell: (row) => showMoney(row.registration_cost) },
      { label: 'Storage fees', align: 'right', cell: (row) => showMoney(row.storage_fees) },
      { label: 'Total', align: 'right', cell: (row) => showMoney(row.total_cost) },
    ]}
  />
)
