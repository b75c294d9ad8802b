import { TITLE_OVERDUE_DAYS, TITLE_STAGES } from '../../db/vocabulary'
import type { TitleFilters as TitleQuery, Title as TitleRow } from '../../src/features/titles/queries'
import type { Meta } from '../../src/platform/http/answers'
import type { FilterNames } from '../../src/platform/lists/layouts/filter-names'
import { paths, withQuery } from '../../src/platform/paths'
import type { SerializedRow } from '../../src/platform/records/listing'
import { showCount } from '../format'
import { Island } from '../island'
import { optionsOf } from '../ui/fields'
import { PlusIcon } from '../ui/icons'
import { List } from '../ui/list'
import { PageHead } from '../ui/page-head'
import { BulkDate } from '../ui/selection'
import { Tabs } from '../ui/tabs'
import { type TitleTab, tintOf, titleColumns } from './columns'

const EMPTY: Record<TitleTab, string> = {
  pending: 'No title is pending',
  transferred: 'No title has been transferred yet',
  overdue: 'No title is overdue',
}

type Totals = { pending: number; transferred: number; overdue: number }
type Props = {
  tab: TitleTab
  lines: SerializedRow<TitleRow>[]
  query: TitleQuery
  meta: Meta
  names: FilterNames
  totals: Totals
}

export function TitlesPage({ tab, lines, query, meta, names, totals }: Props) {
  const path = paths.titles.list
  return (
    <>
      <PageHead
        title="Title Tracking"
        lead={`${showCount(totals.overdue)} pending for more than ${TITLE_OVERDUE_DAYS} days`}
      >
        <a className="button button-primary" href={paths.titles.create} data-modal="">
          <PlusIcon /> Add title
        </a>
      </PageHead>
      <Tabs
        label="Titles"
        tabs={[
          { href: path, label: `Pending Titles (${showCount(totals.pending)})`, isCurrent: tab === 'pending' },
          {
            href: withQuery(path, { tab: 'transferred' }),
            label: `Transferred Titles (${showCount(totals.transferred)})`,
            isCurrent: tab === 'transferred',
          },
          {
            href: withQuery(path, { tab: 'overdue' }),
            label: `Overdue (${showCount(totals.overdue)})`,
            isCurrent: tab === 'overdue',
          },
        ]}
      />
      <List
        path={path}
        file={paths.api.exports(`titles-${tab}`)}
        listName="titles"
        live="titles"
        rowScope={tab}
        query={{ ...query, ...(tab === 'overdue' ? {} : { days: null }), tab: tab === 'pending' ? null : tab }}
        meta={meta}
        names={names}
        lines={lines}
        keep={tab === 'pending' ? {} : { tab }}
        caption="Titles"
        search="Search unit, dealer or location"
        filters={[{ name: 'stage', label: 'Stage', any: 'All stages', options: optionsOf(TITLE_STAGES) }]}
        empty={{
          title: EMPTY[tab],
          hint: <a href={paths.titles.create}>Add a title</a>,
        }}
        rowClass={tintOf}
        selection={{
          kind: 'titles',
          list: tab,
          fields: (
            <>
              <BulkDate name="transferred_date" label="Transferred" isPast />
              {tab !== 'transferred' && <BulkDate name="next_chase_on" label="Follow up on" />}
            </>
          ),
        }}
        columns={titleColumns(tab)}
      />
      <Island name="modal" id="modal" props={{}} />
    </>
  )
}
