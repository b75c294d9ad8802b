import type { Meta } from '../../src/http/answers'
import type { OslFilters as OslQuery, OslEntry as OslRow } from '../../src/osl/queries'
import { paths } from '../../src/paths'
import { cut, NONE, showCount, showDate, showMoney } from '../format'
import { Island } from '../island'
import { List } from '../ui/list'
import { PageHead } from '../ui/page-head'

type Props = {
  rows: OslRow[]
  query: OslQuery & { start_date: string; end_date: string }
  meta: Meta
  isSearched: boolean
  refusal?: string | undefined
}

export function CompletedOslPage({ rows, query, meta, isSearched, refusal }: Props) {
  return (
    <>
      <PageHead
        title="Completed OSL Logs"
        lead={isSearched && !refusal ? `${showCount(meta.total)} completed` : 'Search by the date of completion'}
      />
      <form className="toolbar" method="get" action={paths.osl.completed}>
        <label className="filter">
          <span>Start date</span>
          <input type="date" name="start_date" defaultValue={query.start_date} />
        </label>
        <label className="filter">
          <span>End date</span>
          <input type="date" name="end_date" defaultValue={query.end_date} />
        </label>
        <button type="submit" name="search" value="1" className="button button-primary">
          Search
        </button>
      </form>
      {refusal && (
        <p className="banner banner-danger" role="alert">
          {refusal}
        </p>
      )}
      {isSearched && !refusal && (
        <List
          path={paths.osl.completed}
          file={paths.api.exports('osl-completed')}
          keptAs="osl-completed"
          live="osl_entries"
          query={query}
          meta={meta}
          rows={rows}
          caption="Completed OSL logs"
          empty={{ title: 'Nothing was completed in this period', hint: 'Choose other dates above.' }}
          columns={[
            {
              label: 'Unit #',
              sort: 'unit_number',
              cell: (row) => <a href={paths.osl.show(row.id)}>{row.unit_number}</a>,
            },
            { label: 'OSL date', sort: 'osl_date', cell: (row) => showDate(row.osl_date) },
            { label: 'Completed', sort: 'completed_at', cell: (row) => showDate(row.completed_on) },
            { label: 'Location', sort: 'location_name', cell: (row) => row.location_name },
            { label: 'Vendor', cell: (row) => row.vendor_name ?? NONE },
            { label: 'Problem', cell: (row) => <span title={row.problem}>{cut(row.problem, 50)}</span> },
            { label: 'Days', align: 'right', cell: (row) => showCount(row.days_out_of_service) },
            {
              label: 'Storage fees',
              align: 'right',
              cell: (row) => (row.storage_fees_applicable ? showMoney(row.storage_fees_total) : NONE),
            },
            {
              label: 'Actions',
              isActions: true,
              cell: (row) => (
                <div className="row-actions">
                  <a
                    href={paths.osl.edit(row.id)}
                    data-modal=""
                    aria-label={`Edit OSL entry of unit ${row.unit_number}`}
                  >
                    Edit
                  </a>
                </div>
              ),
            },
          ]}
        />
      )}
      <Island name="modal" id="modal" props={{}} />
    </>
  )
}
