import type { LocationYear, YearTotal } from '../../src/features/budgets/queries'
import { paths, withQuery } from '../../src/platform/paths'
import { showMoney } from '../format'
import { PageHead } from '../ui/page-head'
import { TablePanel } from '../ui/plain-table'
import { RemainingBudget } from './remaining-budget'

type Props = {
  rows: LocationYear[]
  total: YearTotal
  year: number
  thisYear: number
  isAdmin: boolean
}

export function BudgetsPage({ rows, total, year, thisYear, isAdmin }: Props) {
  const { list, show, edit } = paths.budgets
  const lead =
    year > thisYear
      ? 'Budget by location.'
      : `Budget and costs by location, ${year === thisYear ? 'through this month' : 'for the whole year'}. ` +
        'The total in the Remaining column includes only locations with a budget.'
  return (
    <>
      <PageHead title={`Budgets ${year}`} lead={lead}>
        <a className="button" href={withQuery(list, { year: year - 1 })}>
          {year - 1}
        </a>
        <a className="button" href={withQuery(list, { year: year + 1 })}>
          {year + 1}
        </a>
      </PageHead>
      <TablePanel
        title="Locations"
        keepsColumns
        hasEqualColumns
        caption="Budget and costs by location"
        rows={rows.map((row) => ({ ...row, id: row.location_id }))}
        empty="No costs and no budget for this year"
        columns={[
          { label: 'Location', total: 'Total', cell: (row) => <a href={show(row.id)}>{row.location_name}</a> },
          {
            label: 'Annual budget',
            align: 'right',
            leaves: true,
            total: showMoney(total.budget),
            cell: ({ budget }) => showMoney(budget),
          },
          {
            label: 'Budget to date',
            align: 'right',
            leaves: true,
            total: showMoney(total.budget_so_far),
            cell: (row) => showMoney(row.budget_so_far),
          },
          { label: 'Spent', align: 'right', total: showMoney(total.spent), cell: ({ spent }) => showMoney(spent) },
          {
            label: 'Remaining',
            align: 'right',
            total: <RemainingBudget budget={total.budget_so_far} spent={total.spent_with_budget} />,
            cell: (row) => <RemainingBudget budget={row.budget_so_far} spent={row.spent} />,
          },
          ...(isAdmin
            ? [
                {
                  label: 'Budget',
                  cell: (row: LocationYear) => (
                    <a
                      href={withQuery(edit(row.location_id), { year })}
                      aria-label={`${row.budget === null ? 'Set' : 'Change'} the budget of ${row.location_name}`}
                    >
                      {row.budget === null ? 'Set' : 'Change'}
                    </a>
                  ),
                },
              ]
            : []),
        ]}
      />
    </>
  )
}
