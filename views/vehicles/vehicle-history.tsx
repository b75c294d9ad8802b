import { paths } from '../../src/paths'
import type { YearOfCosts } from '../../src/vehicle-history/costs'
import type { VehicleHistory as History } from '../../src/vehicle-history/queries'
import { areCostsSeen } from '../costs'
import { cut, NONE, showCount, showDate, showMoney } from '../format'
import { Island } from '../island'
import { OslBadge, StatusBadge } from '../ui/badge'
import { Facts, Stamps } from '../ui/facts'
import { TablePanel } from '../ui/plain-table'

/** A vehicle and everything on record about it, in one place. */
export function VehicleHistory({ history, costs }: { history: History; costs: YearOfCosts[] }) {
  const { vehicle, transports, osl_logs, registrations, titles } = history
  return (
    <>
      <section className="panel">
        <div className="page-head">
          <div>
            <h2>Unit {vehicle.unit_number}</h2>
            <p className="lead">
              {vehicle.current_status ?? 'Status unknown'},{' '}
              {vehicle.current_location ? `at ${vehicle.current_location}` : 'no place on record'}
            </p>
          </div>
          <a className="button" href={paths.vehicles.edit(vehicle.unit_number)} data-modal="">
            Edit vehicle
          </a>
        </div>
        <Facts
          facts={[
            ['Unit number', vehicle.unit_number],
            ['VIN', vehicle.vin],
            ['Model year', vehicle.model_year],
            ['Mileage', showCount(vehicle.current_mileage)],
            ['Status', vehicle.current_status],
            ['Location', vehicle.current_location],
          ]}
        />
        <Stamps record={vehicle} entity="vehicles" />
      </section>
      {areCostsSeen() && <Costs costs={costs} />}
      <TablePanel
        title="Transports"
        caption="Transports"
        rows={transports}
        empty="No transports"
        columns={[
          { label: 'Move date', cell: (row) => <a href={paths.transports.edit(row.id)}>{showDate(row.move_date)}</a> },
          { label: 'Location out', cell: (row) => row.location_out_name },
          { label: 'Location in', cell: (row) => row.location_in_name },
          { label: 'Company', cell: (row) => row.transport_company_name },
          { label: 'Final cost', align: 'right', isCost: true, cell: (row) => showMoney(row.final_cost) },
          { label: 'Status', cell: (row) => <StatusBadge status={row.status} /> },
        ]}
      />
      <TablePanel
        title="OSL logs"
        caption="OSL logs"
        rows={osl_logs}
        empty="Never out of service"
        columns={[
          { label: 'OSL date', cell: (row) => <a href={paths.osl.show(row.id)}>{showDate(row.osl_date)}</a> },
          { label: 'Location', cell: (row) => row.location_name },
          { label: 'Problem', cell: (row) => <span title={row.problem}>{cut(row.problem, 60)}</span> },
          { label: 'Days', align: 'right', cell: (row) => showCount(row.days_out_of_service) },
          {
            label: 'Status',
            cell: (row) => <OslBadge status={row.status} />,
          },
        ]}
      />
      <TablePanel
        title="Registrations"
        caption="Registrations"
        rows={registrations}
        empty="No registrations"
        columns={[
          {
            label: 'Plate',
            cell: (row) => <a href={paths.registrations.edit(row.id)}>{`${row.plate_number} ${row.state_province}`}</a>,
          },
          { label: 'Type', cell: (row) => row.registration_type },
          { label: 'Issued', cell: (row) => showDate(row.date_issued) },
          { label: 'Expires', cell: (row) => showDate(row.date_expires) },
          { label: 'Received', cell: (row) => (row.received ? 'Yes' : 'No') },
        ]}
      />
      <TablePanel
        title="Titles"
        caption="Titles"
        rows={titles}
        empty="No titles"
        columns={[
          { label: 'Submitted', cell: (row) => <a href={paths.titles.show(row.id)}>{showDate(row.submitted_date)}</a> },
          { label: 'Dealer', cell: (row) => row.dealer_name ?? NONE },
          { label: 'Transferred', cell: (row) => showDate(row.transferred_date) },
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
