import { activeColumns, COMPLETED_COLUMNS } from '../../../views/transports/columns'
import { choicesOf } from '../../../views/ui/layouts'
import { countOf } from '../../platform/lists/exports/list'
import type { ListKind } from '../../platform/lists/kind'
import { paths } from '../../platform/paths'
import { transportExports } from './exports'

const active = {
  label: 'Active Transports',
  path: paths.transports.active,
  count: countOf(() => transportExports['transports-active']),
}

export const transportLists: ListKind[] = [
  // Do not rename this list. Integrations use the name `transports` for saved views.
  { name: 'transports', ...active },
  {
    name: 'transports-active',
    ...active,
    columns: () => choicesOf(activeColumns('')),
    filters: {
      location_id: 'From or to',
      transport_company_id: 'Company',
      start_date: 'Moves from',
      end_date: 'Moves until',
      unit_number: 'Unit number',
    },
  },
  {
    name: 'transports-completed',
    label: 'Completed Report',
    path: paths.transports.completed,
    count: countOf(() => transportExports['transports-completed']),
    columns: () => choicesOf(COMPLETED_COLUMNS),
    filters: {
      location_id: 'From or to',
      transport_company_id: 'Company',
      over_estimate: 'Final cost',
      invoiced: 'Invoice',
      unit_number: 'Unit number',
    },
  },
]
