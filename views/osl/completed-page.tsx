import type { OslFilters as OslQuery, OslEntry as OslRow } from '../../src/features/osl/queries'
import type { Meta } from '../../src/platform/http/answers'
import { paths } from '../../src/platform/paths'
import type { SerializedRow } from '../../src/platform/records/listing'
import { showCount } from '../format'
import { Island } from '../island'
import { List } from '../ui/list'
import { PageHead } from '../ui/page-head'
import { COMPLETED_COLUMNS } from './columns'

type Props = {
  lines: SerializedRow<OslRow>[]
  query: OslQuery & { start_date: string; end_date: string }
  meta: Meta
  refusal?: string | undefined
}

export function CompletedOslPage({ lines, query, meta, refusal }: Props) {
  return (
    <>
      <PageHead
        title="Completed OSL Logs"
        lead={!refusal ? `${showCount(meta.total)} completed` : 'Search by completion date'}
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
        <button type="submit" name="search" value="1" className="button">
          Search
        </button>
      </form>
      {refusal && (
        <p className="banner banner-danger" role="alert">
          {refusal}
        </p>
      )}
      {!refusal && (
        <List
          path={paths.osl.completed}
          file={paths.api.exports('osl-completed')}
          keptAs="osl-completed"
          live="osl_entries"
          query={query}
          meta={meta}
          lines={lines}
          caption="Completed OSL logs"
          empty={{ title: 'Nothing was completed in this period', hint: 'Choose other dates above.' }}
          columns={COMPLETED_COLUMNS}
        />
      )}
      <Island name="modal" id="modal" props={{}} />
    </>
  )
}
