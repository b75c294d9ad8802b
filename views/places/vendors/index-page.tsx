import { paths } from '../../../src/platform/paths'
import { Island } from '../../island'
import { Full } from '../../ui/cells'
import { optionsOf } from '../../ui/fields'
import { PlusIcon } from '../../ui/icons'
import { List } from '../../ui/list'
import { type Column, ListRow } from '../../ui/list-rows'
import { PageHead } from '../../ui/page-head'
import { statusFilter } from '../filters'
import type { MasterIndexProps } from '../index-props'
import { RecentMerges } from '../merges'
import { AlsoCalled } from '../other-names'
import { inactiveClass, masterColumns } from '../row-actions'

export type VendorRow = {
  id: number
  vendor_name: string
  other_names: string[] | null
  vendor_type: string | null
  contact_person: string | null
  phone: string | null
  email: string | null
  notes: string | null
  is_active: boolean
  version: number
}

const COLUMNS: Column<VendorRow>[] = [
  {
    label: 'Vendor',
    part: 'main',
    sort: 'vendor_name',
    cell: (row) => (
      <AlsoCalled {...row}>
        <a href={paths.vendorBilling.show(row.id)} title={row.vendor_name}>
          {row.vendor_name}
        </a>
      </AlsoCalled>
    ),
  },
  { label: 'Type', sort: 'vendor_type', width: 104, part: 'place', cell: (row) => <Full text={row.vendor_type} /> },
  {
    label: 'Contact',
    sort: 'contact_person',
    width: 110,
    leaves: 'spare',
    cell: (row) => <Full text={row.contact_person} />,
  },
  { label: 'Phone', width: 116, part: 'due', cell: (row) => <Full text={row.phone} /> },
  { label: 'E-mail', width: 140, leaves: 'room', cell: (row) => <Full text={row.email} /> },
  { label: 'Notes', width: 110, leaves: 'room', cell: (row) => <Full text={row.notes} /> },
  ...masterColumns<VendorRow>(paths.vendors, (row) => row.vendor_name),
]

export const VendorListRow = ({ row }: { row: VendorRow }) => (
  <ListRow row={row} columns={COLUMNS} className={inactiveClass(row)} />
)

export function VendorsPage({ rows, query, meta, types, merges }: MasterIndexProps<VendorRow>) {
  return (
    <>
      <PageHead title="Manage Vendors" lead="Repair shops, towing and parts suppliers.">
        <a className="button" href={paths.vendors.import}>
          Import
        </a>
        <a className="button button-primary" href={paths.vendors.create} data-modal="">
          <PlusIcon /> Add vendor
        </a>
      </PageHead>
      <List
        path={paths.vendors.list}
        query={query}
        meta={meta}
        rows={rows}
        caption="Vendors"
        search="Search name, type, contact or e-mail"
        filters={[{ name: 'type', label: 'Type', any: 'All types', options: optionsOf(types) }, statusFilter]}
        empty={{ title: 'No vendors yet', hint: <a href={paths.vendors.create}>Add the first vendor</a> }}
        rowClass={inactiveClass}
        columns={COLUMNS}
      />
      <RecentMerges merges={merges} takeBack={paths.vendors.takeBack} />
      <Island name="modal" id="modal" props={{}} />
    </>
  )
}
