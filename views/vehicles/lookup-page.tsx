import type { Vehicle as VehicleRow } from '../../src/features/vehicles/find'
import type { YearOfCosts } from '../../src/features/vehicles/history/costs'
import type { VehicleHistory as History } from '../../src/features/vehicles/history/queries'
import type { TimelineEntry } from '../../src/platform/audit/timeline'
import { paths, withQuery } from '../../src/platform/paths'
import { NONE, showCount } from '../format'
import { Unit } from '../ui/cells'
import { PlusIcon, SearchIcon } from '../ui/icons'
import { PageHead } from '../ui/page-head'
import { TablePanel } from '../ui/plain-table'
import { Timeline } from './timeline'
import { VehicleHistory } from './vehicle-history'

type Props = {
  q: string
  history?: History | undefined
  timeline?: TimelineEntry[] | undefined
  costs?: YearOfCosts[] | undefined
  isWholeTimeline?: boolean
  found?: VehicleRow[] | undefined
  total?: number | undefined
  refusal?: string | undefined
}

export function LookupPage({
  q,
  history,
  timeline = [],
  costs = [],
  isWholeTimeline = false,
  found,
  total,
  refusal,
}: Props) {
  return (
    <>
      <PageHead title="Vehicle Lookup" lead="By unit number, VIN or VIN ending, plate, RA or PO number, or location">
        <a className="button" href={paths.vehicles.many}>
          Look up several units at once
        </a>
        <a className="button" href={paths.vehicles.create}>
          <PlusIcon /> New vehicle
        </a>
      </PageHead>
      <form className="toolbar" method="get" action={paths.vehicles.lookup}>
        <div className="search">
          <SearchIcon />
          <input
            type="search"
            name="q"
            defaultValue={q}
            placeholder="Unit, VIN, plate, RA, PO or location"
            aria-label="Unit number, VIN, plate, RA or PO number, or location"
            autoFocus
            data-hotkey="/"
            maxLength={50}
            autoComplete="off"
          />
        </div>
        <button type="submit" className="button button-primary">
          Search
        </button>
      </form>
      {refusal && (
        <p className="banner banner-danger" role="alert">
          {refusal}
        </p>
      )}
      {refusal && /^\d{6}$/.test(q) && (
        <p>
          <a href={withQuery(paths.vehicles.create, { unit_number: q })}>Add unit {q}</a>
        </p>
      )}
      {found && (
        <TablePanel
          title={
            found.length === total
              ? `${showCount(total)} vehicles match`
              : `The first ${showCount(found.length)} of ${showCount(total ?? 0)} matching vehicles. Refine your search`
          }
          caption="Vehicles found"
          rows={found}
          empty="Vehicle not found"
          columns={[
            { label: 'Unit #', cell: (row) => <Unit unit={row.unit_number} /> },
            { label: 'VIN', cell: (row) => row.vin ?? NONE },
            { label: 'Model year', cell: (row) => row.model_year ?? NONE },
            { label: 'Location', cell: (row) => row.current_location ?? NONE },
            { label: 'Status', cell: (row) => row.current_status ?? NONE },
          ]}
        />
      )}
      {history && <VehicleHistory history={history} costs={costs} />}
      {history && <Timeline unit={history.vehicle.unit_number} entries={timeline} isWhole={isWholeTimeline} />}
    </>
  )
}
