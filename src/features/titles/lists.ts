import { titleColumns } from '../../../views/titles/columns'
import { choicesOf } from '../../../views/ui/layouts'
import { countOf } from '../../platform/lists/exports/list'
import type { ListKind } from '../../platform/lists/kind'
import { paths } from '../../platform/paths'
import { titleExports } from './exports'

export const titleLists: ListKind[] = [
  {
    name: 'titles',
    label: 'Title Tracking',
    path: paths.titles.list,
    count: countOf(({ tab }) => titleExports[`titles-${tab === 'transferred' || tab === 'overdue' ? tab : 'pending'}`]),
    columns: () => choicesOf([...titleColumns('pending'), ...titleColumns('transferred')]),
    filters: { location_id: 'Location', unit_number: 'Unit number' },
  },
]
