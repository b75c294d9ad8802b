import { LOCATION_TYPES, type LocationType } from '../../../db/vocabulary'
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

export type LocationRow = {
  id: number
  location_code: string
  location_name: string
  other_names: string[] | null
  location_type: LocationType
  address: string | null
  phone: string | null
  contact_email: string | null
  is_active: boolean
  version: number
}

const COLUMNS: Column<LocationRow>[] = [
  {
    label: 'Code',
    sort: 'location_code',
    width: 104,
    part: 'unit',
    cell: (row) => <strong className="code">{row.location_code}</strong>,
  },
  {
    label: 'Name',
    sort: 'location_name',
    part: 'main',
    cell: (row) => (
      <AlsoCalled {...row}>
        <a href={paths.budgets.show(row.id)} title={row.location_name}>
          {row.location_name}
        </a>
      </AlsoCalled>
    ),
  },
  { label: 'Type', sort: 'location_type', width: 90, part: 'place', cell: (row) => row.location_type },
  { label: 'Address', width: 140, leaves: 'room', cell: (row) => <Full text={row.address} /> },
  { label: 'Phone', width: 116, leaves: 'spare', cell: (row) => <Full text={row.phone} /> },
  { label: 'E-mail', width: 140, leaves: 'room', cell: (row) => <Full text={row.contact_email} /> },
  ...masterColumns<LocationRow>(paths.locations, (row) => row.location_name),
]

export const LocationListRow = ({ row }: { row: LocationRow }) => (
  <ListRow row={row} columns={COLUMNS} className={inactiveClass(row)} />
)

export function LocationsPage({ rows, query, meta, merges }: MasterIndexProps<LocationRow>) {
  return (
    <>
      <PageHead
        title="Manage Locations"
        lead="Hubs, dealers, vendors and tow yards that vehicles move between."
        hasManyActions
      >
        <a className="button" href={paths.budgets.list}>
          Budgets
        </a>
        <a className="button" href={paths.locations.import}>
          Import
        </a>
        <a className="button button-primary" href={paths.locations.create} data-modal="">
          <PlusIcon /> Add location
        </a>
      </PageHead>
      <List
        path={paths.locations.list}
        query={query}
        meta={meta}
        rows={rows}
        caption="Locations"
        search="Search code, name or address"
        filters={[{ name: 'type', label: 'Type', any: 'All types', options: optionsOf(LOCATION_TYPES) }, statusFilter]}
        empty={{ title: 'No locations yet', hint: <a href={paths.locations.create}>Add the first location</a> }}
        rowClass={inactiveClass}
        columns={COLUMNS}
      />
      <RecentMerges merges={merges} takeBack={paths.locations.takeBack} />
      <Island name="modal" id="modal" props={{}} />
    </>
  )
}
