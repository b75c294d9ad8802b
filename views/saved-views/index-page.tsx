import type { Meta } from '../../src/platform/http/answers'
import { findList } from '../../src/platform/lists/kind'
import type { SavedView } from '../../src/platform/lists/saved-views/queries'
import type { SavedViewFilters } from '../../src/platform/lists/saved-views/rules'
import { paths } from '../../src/platform/paths'
import { showCount } from '../format'
import { Island } from '../island'
import { countLead, List } from '../ui/list'
import type { Column } from '../ui/list-rows'
import { PageHead } from '../ui/page-head'
import { RowActions } from '../ui/row-actions'

type Props = { rows: SavedView[]; query: SavedViewFilters; meta: Meta; isAdmin: boolean }

export function SavedViewsPage({ rows, query, meta, isAdmin }: Props) {
  return (
    <>
      <PageHead
        title="Saved views"
        lead={countLead(
          query,
          meta.total,
          `${meta.total === 1 ? '1 view' : `${showCount(meta.total)} views`} of lists, with search and filters`,
        )}
      />
      <List
        path={paths.views.list}
        query={query}
        meta={meta}
        rows={rows}
        caption="Views"
        search="Search views"
        empty={{
          title: 'No views yet',
          hint: 'Search or filter a list, then choose “Save this view” below it.',
        }}
        columns={columns(isAdmin)}
      />
      <Island name="modal" id="modal" props={{}} />
    </>
  )
}

const columns = (isAdmin: boolean): Column<SavedView>[] => [
  { label: 'Name', sort: 'name', part: 'main', cell: ({ url, name }) => <a href={url}>{name}</a> },
  { label: 'List', width: 180, part: 'place', cell: ({ list }) => findList(list)?.label },
  {
    label: 'Visible to',
    width: 200,
    part: 'sum',
    cell: ({ shared, is_own, created_by }) => (is_own ? (shared ? 'Everyone' : 'You') : `Everyone (by ${created_by})`),
  },
  {
    label: 'Actions',
    isOnCard: true,
    isActions: true,
    width: 110,
    cell: ({ id, name, is_own }) =>
      is_own || isAdmin ? <RowActions label={name} edit={paths.views.edit(id)} remove={paths.views.remove(id)} /> : '',
  },
]
