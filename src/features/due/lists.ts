import { dueColumns } from '../../../views/due/columns'
import { choicesOf } from '../../../views/ui/layouts'
import { accept } from '../../platform/accept'
import type { ListKind } from '../../platform/lists/kind'
import { paths } from '../../platform/paths'
import { dueCalendar } from '../settings'
import { listDue } from './queries'
import { dueFilters } from './rules'

export const dueLists: ListKind[] = [
  {
    name: 'due',
    label: 'Due',
    path: paths.due.list,
    async count(db, clock, query) {
      const { total } = await listDue(db, await dueCalendar(db, clock), accept(dueFilters, { ...query, per_page: 1 }))
      return total
    },
    columns: () => choicesOf(dueColumns('', true)),
  },
]
