import type { OslFilters as OslQuery, OslEntry as OslRow } from '../../src/features/osl/queries'
import type { Meta } from '../../src/platform/http/answers'
import { paths } from '../../src/platform/paths'
import type { SerializedRow } from '../../src/platform/records/listing'
import { showCount } from '../format'
import { Island } from '../island'
import { List } from '../ui/list'
import { PageHead } from '../ui/page-head'
import { PeriodToolbar } from '../ui/period-toolbar'
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
      <PeriodToolbar
        path={paths.osl.completed}
        query={query}
        search="Search unit, RA, problem or location"
        refusal={refusal}
      />
      {!refusal && (
        <List
          path={paths.osl.completed}
          file={paths.api.exports('osl-completed')}
          listName="osl-completed"
          live="osl_entries"
          query={query}
          meta={meta}
          lines={lines}
          caption="Completed OSL logs"
          empty={{
            title: 'No OSL entry was completed in this period',
            hint: 'Change the dates or the search text above.',
          }}
          columns={COMPLETED_COLUMNS}
        />
      )}
      <Island name="modal" id="modal" props={{}} />
    </>
  )
}
