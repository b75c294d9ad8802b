import type { Vehicle } from '../../src/features/vehicles/find'
import { paths } from '../../src/platform/paths'
import { NONE, showCount } from '../format'
import { Unit } from '../ui/cells'
import { PageHead } from '../ui/page-head'
import { TablePanel } from '../ui/plain-table'

type Props = { numbers: string; found?: Vehicle[]; not_found?: string[]; refusal?: string | undefined }

export function ManyUnitsPage({ numbers, found, not_found = [], refusal }: Props) {
  return (
    <>
      <PageHead
        title="Look up several units at once"
        lead="Up to 200 unit numbers, VINs or VIN endings, separated by line breaks, commas or spaces"
      />
      <form className="panel" method="post" action={paths.vehicles.many}>
        {refusal && (
          <p className="banner banner-danger" role="alert">
            {refusal}
          </p>
        )}
        <div className="field">
          <label htmlFor="numbers">Numbers</label>
          <textarea id="numbers" name="numbers" rows={6} defaultValue={numbers} autoFocus={!found} />
        </div>
        <div className="form-buttons">
          <button type="submit" className="button button-primary">
            Look up
          </button>
        </div>
      </form>
      {not_found.length > 0 && (
        <p className="banner banner-danger" role="alert">
          Not found: {not_found.join(', ')}
        </p>
      )}
      {found && (
        <TablePanel
          title={`${showCount(found.length)} found`}
          caption="Vehicles found"
          rows={found}
          empty="None of these numbers is in the vehicle list"
          columns={[
            { label: 'Unit #', cell: (row) => <Unit unit={row.unit_number} /> },
            { label: 'VIN', cell: (row) => row.vin ?? NONE },
            { label: 'Status', cell: (row) => row.current_status ?? NONE },
            { label: 'Location', cell: (row) => row.current_location ?? NONE },
            { label: 'Mileage', align: 'right', cell: (row) => showCount(row.current_mileage) },
          ]}
        />
      )}
    </>
  )
}
