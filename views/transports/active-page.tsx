import { MOVE_TYPES, TRANSPORT_STATUSES } from '../../db/vocabulary'
import type {
  TransportFilters as TransportQuery,
  Transport as TransportRow,
} from '../../src/features/transports/queries'
import type { Meta } from '../../src/platform/http/answers'
import type { FilterNames } from '../../src/platform/lists/layouts/filter-names'
import { paths } from '../../src/platform/paths'
import type { SerializedRow } from '../../src/platform/records/listing'
import { showCount } from '../format'
import { Island } from '../island'
import { optionsOf } from '../ui/fields'
import { PlusIcon } from '../ui/icons'
import { countLead, List } from '../ui/list'
import { PageHead } from '../ui/page-head'
import { BulkDate, BulkSelect } from '../ui/selection'
import { activeColumns, isLate } from './columns'

type Props = {
  lines: SerializedRow<TransportRow>[]
  query: TransportQuery
  meta: Meta
  names: FilterNames
  today: string
}

export function ActiveTransportsPage({ lines, query, meta, names, today }: Props) {
  return (
    <>
      <PageHead title="Active Transports" lead={countLead(query, meta.total, `${showCount(meta.total)} under way`)}>
        <a className="button button-primary" href={paths.transports.create}>
          <PlusIcon /> New transport
        </a>
      </PageHead>
      <List
        path={paths.transports.active}
        file={paths.api.exports('transports-active')}
        listName="transports-active"
        live="transports"
        query={query}
        meta={meta}
        names={names}
        lines={lines}
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
          {
            name: 'due',
            label: 'Due',
            any: 'Any time',
            options: [
              { value: 'late', label: 'Late' },
              { value: 'today', label: 'Today' },
              { value: 'week', label: 'Within a week' },
            ],
          },
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
              <BulkDate name="actual_arrival_date" label="Arrived" isPast ticks="status=Delivered" />
              <BulkDate name="estimated_arrival_date" label="ETA" />
            </>
          ),
        }}
        columns={activeColumns(today)}
        rowClass={(row) => (isLate(row, today) ? 'is-late-row' : undefined)}
      />
      <Island name="modal" id="modal" props={{}} />
    </>
  )
}
