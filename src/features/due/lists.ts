import { dueColumns } from '../../../views/due/columns'
import { choicesOf } from '../../../views/ui/layouts'
import { accept } from '../../platform/accept'
import type { ListKind } from '../../platform/lists/kind'
import { paths } from '../../platform/paths'
import { dueCalendar } from '../settings'
import { countDueOf } from './queries'
import { dueFilters } from './rules'

export const dueLists: ListKind[] = [
  {
    name: 'due',
    label: 'Due',
    path: paths.due.list,
    count: async (db, clock, query) => countDueOf(db, await dueCalendar(db, clock), accept(dueFilters, query)),
    columns: () => choicesOf(dueColumns('', true)),
  },
]
