import { paths } from '../../../src/platform/paths'
import { Island } from '../../island'
import { Full } from '../../ui/cells'
import { PlusIcon } from '../../ui/icons'
import { List } from '../../ui/list'
import { type Column, ListRow } from '../../ui/list-rows'
import { PageHead } from '../../ui/page-head'
import { statusFilter } from '../filters'
import type { MasterIndexProps } from '../index-props'
import { RecentMerges } from '../merges'
import { AlsoCalled } from '../other-names'
import { inactiveClass, masterColumns } from '../row-actions'

export type TransportCompanyRow = {
  id: number
  company_name: string
  other_names: string[] | null
  contact_person: string | null
  phone: string | null
  email: string | null
  notes: string | null
  is_active: boolean
  version: number
}

const COLUMNS: Column<TransportCompanyRow>[] = [
  {
    label: 'Company',
    sort: 'company_name',
    part: 'main',
    cell: (row) => (
      <AlsoCalled {...row}>
        <a href={paths.companyBilling.show(row.id)} title={row.company_name}>
          {row.company_name}
        </a>
      </AlsoCalled>
    ),
  },
  {
    label: 'Contact',
    sort: 'contact_person',
    width: 120,
    part: 'place',
    leaves: 'tight',
    cell: (row) => <Full text={row.contact_person} />,
  },
  { label: 'Phone', width: 116, part: 'due', cell: (row) => <Full text={row.phone} /> },
  { label: 'E-mail', width: 150, leaves: 'room', cell: (row) => <Full text={row.email} /> },
  { label: 'Notes', width: 130, leaves: 'spare', cell: (row) => <Full text={row.notes} max={50} /> },
  ...masterColumns<TransportCompanyRow>(paths.transportCompanies, (row) => row.company_name),
]

export const TransportCompanyListRow = ({ row }: { row: TransportCompanyRow }) => (
  <ListRow row={row} columns={COLUMNS} className={inactiveClass(row)} />
)

export function TransportCompaniesPage({ rows, query, meta, merges }: MasterIndexProps<TransportCompanyRow>) {
  return (
    <>
      <PageHead title="Manage Transport Companies" lead="Companies that move our vehicles." hasManyActions>
        <a className="button" href={paths.transportCompanies.import}>
          Import
        </a>
        <a className="button button-primary" href={paths.transportCompanies.create} data-modal="">
          <PlusIcon /> Add transport company
        </a>
      </PageHead>
      <List
        path={paths.transportCompanies.list}
        query={query}
        meta={meta}
        rows={rows}
        caption="Transport companies"
        search="Search company, contact or e-mail"
        filters={[statusFilter]}
        empty={{
          title: 'No transport companies yet',
          hint: <a href={paths.transportCompanies.create}>Add the first transport company</a>,
        }}
        rowClass={inactiveClass}
        columns={COLUMNS}
      />
      <RecentMerges merges={merges} takeBack={paths.transportCompanies.takeBack} />
      <Island name="modal" id="modal" props={{}} />
    </>
  )
}
