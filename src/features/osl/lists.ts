import { ACTIVE_COLUMNS, COMPLETED_COLUMNS } from '../../../views/osl/columns'
import { choicesOf } from '../../../views/ui/layouts'
import { countOf } from '../../platform/lists/exports/list'
import type { ListKind } from '../../platform/lists/kind'
import { paths } from '../../platform/paths'
import { oslExports } from './exports'

const active = {
  label: 'Active OSL',
  path: paths.osl.active,
  count: countOf(() => oslExports['osl-active']),
}

export const oslLists: ListKind[] = [
  // Do not rename this list. Integrations use the name `osl` for saved views.
  { name: 'osl', ...active },
  {
    name: 'osl-active',
    ...active,
    columns: () => choicesOf(ACTIVE_COLUMNS),
    filters: { location_id: 'Location', vendor_id: 'Vendor', unit_number: 'Unit number' },
  },
  {
    name: 'osl-completed',
    label: 'Completed Logs',
    path: paths.osl.completed,
    count: countOf(() => oslExports['osl-completed']),
    columns: () => choicesOf(COMPLETED_COLUMNS),
  },
]
