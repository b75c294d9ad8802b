import type { Meta } from '../../src/http/answers'
import type { OslFilters as OslQuery, OslEntry as OslRow } from '../../src/osl/queries'
import { paths } from '../../src/paths'
import { NONE, showCount, showMoney } from '../format'
import { Island } from '../island'
import { Full } from '../ui/cells'
import { List } from '../ui/list'
import { PageHead } from '../ui/page-head'
import { Day } from '../ui/today'

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
          rowScope=""
          query={query}
          meta={meta}
          rows={rows}
          caption="Completed OSL logs"
          empty={{ title: 'Nothing was completed in this period', hint: 'Choose other dates above.' }}
          columns={[
            {
              label: 'Unit #',
              sort: 'unit_number',
              width: 70,
              part: 'unit',
              cell: (row) => <a href={paths.osl.show(row.id)}>{row.unit_number}</a>,
            },
            { label: 'Problem', part: 'main', cell: (row) => <Full text={row.problem} /> },
            {
              label: 'Location',
              sort: 'location_name',
              width: 150,
              part: 'place',
              leaves: 'spare',
              cell: (row) => <Full text={row.location_name} />,
            },
            { label: 'Vendor', width: 140, leaves: 'room', cell: (row) => <Full text={row.vendor_name} /> },
            { label: 'OSL date', sort: 'osl_date', width: 84, cell: (row) => <Day date={row.osl_date} /> },
            { label: 'Completed', sort: 'completed_at', width: 88, cell: (row) => <Day date={row.completed_on} /> },
            {
              label: 'Days',
              align: 'right',
              width: 60,
              part: 'due',
              cell: (row) => showCount(row.days_out_of_service),
            },
            {
              label: 'Storage fees',
              align: 'right',
              width: 108,
              part: 'sum',
              cell: (row) => (row.storage_fees_applicable ? showMoney(row.storage_fees_total) : NONE),
            },
            {
              label: 'Actions',
              isActions: true,
              width: 60,
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
