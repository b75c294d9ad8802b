import { OSL_STATUSES, OSL_WAITS } from '../../db/vocabulary'
import type { OslFilters as OslQuery, OslEntry as OslRow } from '../../src/features/osl/queries'
import type { Meta } from '../../src/platform/http/answers'
import type { FilterNames } from '../../src/platform/lists/layouts/filter-names'
import { paths } from '../../src/platform/paths'
import type { SerializedRow } from '../../src/platform/records/listing'
import { areCostsSeen } from '../costs'
import { showCount, showMoney } from '../format'
import { Island } from '../island'
import { optionsOf } from '../ui/fields'
import { PlusIcon } from '../ui/icons'
import { countLead, List } from '../ui/list'
import { PageHead } from '../ui/page-head'
import { BulkDate, BulkSelect } from '../ui/selection'
import { ACTIVE_COLUMNS } from './columns'

type Props = {
  lines: SerializedRow<OslRow>[]
  query: OslQuery
  meta: Meta
  names: FilterNames
  feesTotal: number | null
  username: string
}

export function ActiveOslPage({ lines, query, meta, names, feesTotal, username }: Props) {
  return (
    <>
      <PageHead
        title="Active OSL"
        lead={`${countLead(query, meta.total, `${showCount(meta.total)} out of service`)}${
          feesTotal === null || !areCostsSeen() ? '' : `, storage fees so far ${showMoney(feesTotal)}`
        }`}
      >
        <a className="button button-primary" href={paths.osl.create}>
          <PlusIcon /> New OSL entry
        </a>
      </PageHead>
      <List
        path={paths.osl.active}
        file={paths.api.exports('osl-active')}
        listName="osl-active"
        live="osl_entries"
        query={query}
        meta={meta}
        names={names}
        lines={lines}
        caption="Active OSL entries"
        search="Search unit, RA, problem or location"
        filters={[
          {
            name: 'status',
            label: 'Status',
            any: 'All statuses',
            options: optionsOf(OSL_STATUSES.filter((status) => status !== 'Completed')),
          },
          { name: 'waiting_on', label: 'Waiting on', any: 'Anything', options: optionsOf(OSL_WAITS) },
          { name: 'owner', label: 'Owner', any: 'Anyone', options: [{ value: username, label: 'Mine' }] },
        ]}
        empty={{ title: 'No vehicle is out of service', hint: <a href={paths.osl.create}>Enter one</a> }}
        selection={{
          kind: 'osl',
          list: 'active',
          fields: (
            <>
              <BulkSelect name="status" label="Status" options={OSL_STATUSES} />
              <BulkDate name="completed_on" label="Completed on" isPast ticks="status=Completed" />
            </>
          ),
        }}
        columns={ACTIVE_COLUMNS}
      />
      <Island name="modal" id="modal" props={{}} />
    </>
  )
}
