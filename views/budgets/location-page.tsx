import type { LocationMonth } from '../../src/features/budgets/queries'
import type { Location } from '../../src/features/places/locations/queries'
import { paths, withQuery } from '../../src/platform/paths'
import { NONE, showMoney } from '../format'
import { Island } from '../island'
import { Facts } from '../ui/facts'
import { MonthsPanel } from '../ui/months-panel'
import { PageHead } from '../ui/page-head'
import { RemainingBudget } from './remaining-budget'

const LISTS = [
  [paths.transports.active, 'Active transports'],
  [paths.transports.completed, 'Completed transports'],
  [paths.osl.active, 'Active OSL'],
  [paths.registrations.list, 'Registrations'],
  [paths.titles.list, 'Titles'],
] as const

type Props = { location: Location; months: LocationMonth[]; isAdmin: boolean }

export function LocationPage({ location, months, isAdmin }: Props) {
  const { id } = location
  return (
    <>
      <PageHead title={location.location_name} lead={`${location.location_code}, ${location.location_type}`}>
        {isAdmin && (
          <>
            <a className="button" href={paths.locations.edit(id)} data-modal="">
              Edit
            </a>
            <a className="button button-primary" href={paths.budgets.edit(id)}>
              Edit budget
            </a>
          </>
        )}
      </PageHead>
      <section className="panel">
        <h2>Lists</h2>
        <div className="actions-list">
          {LISTS.map(([path, label]) => (
            <a key={label} className="button" href={withQuery(path, { location_id: id })}>
              {label}
            </a>
          ))}
        </div>
        <Facts
          facts={[
            ['Phone', location.phone],
            ['E-mail', location.contact_email],
            ['Address', location.address],
          ]}
        />
      </section>
      <MonthsPanel
        months={months}
        caption="Costs and budget in each of the last twelve months"
        href={({ start_date, end_date }) =>
          withQuery(paths.reports, { type: 'location_costs', location_id: id, start_date, end_date })
        }
        amount={({ total_cost }) => total_cost}
        columns={[
          { label: 'Transports', align: 'right', leaves: true, cell: (month) => showMoney(month.transport_cost) },
          { label: 'Registrations', align: 'right', leaves: true, cell: (month) => showMoney(month.registration_cost) },
          { label: 'Storage', align: 'right', leaves: true, cell: (month) => showMoney(month.storage_fees) },
          { label: 'Total', align: 'right', cell: (month) => <strong>{showMoney(month.total_cost)}</strong> },
          { label: 'Year before', align: 'right', leaves: true, cell: (month) => showMoney(month.year_before) },
          {
            label: 'Budget',
            align: 'right',
            leaves: true,
            cell: ({ budget }) => (budget === null ? NONE : showMoney(budget)),
          },
          {
            label: 'Remaining',
            align: 'right',
            cell: ({ budget, total_cost }) => <RemainingBudget budget={budget} spent={total_cost} />,
          },
        ]}
      />
      <Island name="modal" id="modal" props={{}} />
    </>
  )
}
