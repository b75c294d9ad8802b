import { REGISTRATION_TYPES } from '../../db/vocabulary'
import type {
  RegistrationFilters as RegistrationQuery,
  RegistrationRow,
  RegistrationTotals,
} from '../../src/features/registrations/queries'
import type { Meta } from '../../src/platform/http/answers'
import type { FilterNames } from '../../src/platform/lists/layouts/filter-names'
import { paths, withQuery } from '../../src/platform/paths'
import type { SerializedRow } from '../../src/platform/records/listing'
import { areCostsSeen } from '../costs'
import { showCount, showMoney } from '../format'
import { Island } from '../island'
import { optionsOf } from '../ui/fields'
import { PlusIcon } from '../ui/icons'
import { List } from '../ui/list'
import { PageHead } from '../ui/page-head'
import { BulkChoice } from '../ui/selection'
import { Tabs } from '../ui/tabs'
import { REGISTRATION_COLUMNS } from './columns'
import { exportOf, type Log } from './logs'

type Props = {
  log: Log
  lines: SerializedRow<RegistrationRow>[]
  query: RegistrationQuery
  meta: Meta
  names: FilterNames
  totals: RegistrationTotals
}

export function RegistrationsPage({ log, lines, query, meta, names, totals }: Props) {
  const path = paths.registrations.list
  const { total_cost, total_vlt } = totals
  const costs = areCostsSeen() ? `All registrations: cost ${showMoney(total_cost)}, VLT ${showMoney(total_vlt)}. ` : ''
  return (
    <>
      <PageHead
        title="Vehicle Registrations"
        lead={`${costs}${showCount(totals.expiring)} expiring in the next 30 days`}
      >
        <a className="button button-primary" href={paths.registrations.create} data-modal="">
          <PlusIcon /> Add registration
        </a>
      </PageHead>
      <Tabs
        label="Logs"
        tabs={[
          { href: path, label: `Pending Log (${showCount(totals.pending)})`, isCurrent: log === 'pending' },
          {
            href: withQuery(path, { tab: 'complete' }),
            label: `Complete Log (${showCount(totals.completed)})`,
            isCurrent: log === 'complete',
          },
          {
            href: withQuery(path, { tab: 'expiring' }),
            label: `Expiring in 30 days (${showCount(totals.expiring)})`,
            isCurrent: log === 'expiring',
          },
          {
            href: withQuery(path, { tab: 'overdue' }),
            label: `Expired (${showCount(totals.overdue)})`,
            isCurrent: log === 'overdue',
          },
        ]}
      />
      <List
        path={path}
        file={paths.api.exports(exportOf(log))}
        listName="registrations"
        live="registrations"
        query={{ ...query, ...(log === 'expiring' ? {} : { days: null }), tab: log === 'pending' ? null : log }}
        meta={meta}
        names={names}
        lines={lines}
        keep={log === 'pending' ? {} : { tab: log }}
        caption="Registrations"
        search="Search unit, plate or location"
        filters={[
          { name: 'registration_type', label: 'Type', any: 'All types', options: optionsOf(REGISTRATION_TYPES) },
        ]}
        empty={{
          title: {
            pending: 'No pending registrations',
            complete: 'No complete registrations yet',
            expiring: 'No registrations need renewal in the next 30 days',
            overdue: 'There are no expired registrations to renew',
          }[log],
          hint: <a href={paths.registrations.create}>Add a registration</a>,
        }}
        selection={{
          kind: 'registrations',
          list: log,
          fields: <BulkChoice name="received" label="Papers" yes="received" no="not received" />,
          ...(log === 'expiring' || log === 'overdue'
            ? {
                also: [
                  { action: paths.registrations.renewMany, label: 'Renew' },
                  { action: paths.registrations.renewTable, label: 'Renew with costs…' },
                ],
              }
            : {}),
        }}
        columns={REGISTRATION_COLUMNS}
      />
      <Island name="modal" id="modal" props={{}} />
    </>
  )
}
