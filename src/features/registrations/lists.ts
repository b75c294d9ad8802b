import { REGISTRATION_COLUMNS } from '../../../views/registrations/columns'
import { exportOf, logOf } from '../../../views/registrations/logs'
import { choicesOf } from '../../../views/ui/layouts'
import { countOf } from '../../platform/lists/exports/list'
import type { ListKind } from '../../platform/lists/kind'
import { paths } from '../../platform/paths'
import { registrationExports } from './exports'

export const registrationLists: ListKind[] = [
  {
    name: 'registrations',
    label: 'Registrations',
    path: paths.registrations.list,
    count: countOf(({ tab }) => registrationExports[exportOf(logOf(tab))]),
    columns: () => choicesOf(REGISTRATION_COLUMNS),
    filters: { location_id: 'Location', unit_number: 'Unit number' },
  },
]
