import { MOVE_TYPES, type MoveType } from '../../db/vocabulary'
import type {
  TransportFilters as TransportQuery,
  Transport as TransportRow,
} from '../../src/features/transports/queries'
import type { Meta } from '../../src/platform/http/answers'
import type { FilterNames } from '../../src/platform/lists/layouts/filter-names'
import { paths, withQuery } from '../../src/platform/paths'
import type { SerializedRow } from '../../src/platform/records/listing'
import { areCostsSeen } from '../costs'
import { showCount, showDate, showMoney } from '../format'
import { Island } from '../island'
import { List } from '../ui/list'
import { PageHead } from '../ui/page-head'
import { PeriodToolbar } from '../ui/period-toolbar'
import { COMPLETED_COLUMNS } from './columns'

type Total = { move_type: MoveType; count: number; total_cost: number }
type Props = {
  lines: SerializedRow<TransportRow>[]
  totals: Total[]
  query: TransportQuery & { start_date: string; end_date: string }
  meta: Meta
  names?: FilterNames
  refusal?: string
  /** Number of transports with a cost too far above the estimate. The settings define the maximum excess. */
  over?: number
  later?: number
  /**
   * Limit up to which `later` is exact. `later` counts the delivered transports with a move date after the period.
   * If there are more transports than the limit, the page shows `More than 1000`.
   */
  laterLimit?: number
}

const FILTER_FIELDS = [
  'q',
  'unit_number',
  'move_type',
  'location_id',
  'transport_company_id',
  'over_estimate',
  'invoiced',
] as const
const isSet = (value: unknown) => value !== null && value !== undefined && value !== ''

const dayAfter = (date: string) => new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)

export function CompletedTransportsPage({
  lines,
  totals,
  query,
  meta,
  names = {},
  refusal,
  over = 0,
  later = 0,
  laterLimit = 0,
}: Props) {
  const { start_date, end_date } = query
  const activeFilters = Object.fromEntries(
    FILTER_FIELDS.flatMap((name) => (isSet(query[name]) ? [[name, String(query[name])]] : [])),
  )
  const { q: _, ...otherFilters } = activeFilters
  const aboveEstimate = withQuery(paths.transports.completed, {
    ...activeFilters,
    start_date,
    end_date,
    over_estimate: 'true',
  })
  return (
    <>
      <PageHead
        title="Completed Transport Report"
        lead={
          refusal ? undefined : (
            <>
              {showCount(meta.total)} delivered, move date {showDate(start_date)} to {showDate(end_date)}
              {over > 0 && over < meta.total && areCostsSeen() && (
                <>
                  ; <a href={aboveEstimate}>{showCount(over)} above the estimate</a>
                </>
              )}
            </>
          )
        }
      >
        {!refusal && (
          <a
            className="button"
            href={withQuery(paths.api.completedTransports, { ...activeFilters, start_date, end_date, format: 'csv' })}
            download=""
          >
            Export CSV of this report
          </a>
        )}
      </PageHead>
      <PeriodToolbar
        path={paths.transports.completed}
        query={query}
        search="Search unit, RA, location or company"
        filters={otherFilters}
        refusal={refusal}
      />
      {later > 0 && (
        <p className="banner banner-warning">
          {later > laterLimit && 'More than '}
          {later === 1
            ? '1 delivered transport has'
            : `${showCount(Math.min(later, laterLimit))} delivered transports have`}{' '}
          a move date after {showDate(end_date)}, so {later === 1 ? 'it is' : 'they are'} not counted here.{' '}
          <a href={withQuery(paths.transports.completed, { start_date: dayAfter(end_date), end_date: '2199-12-31' })}>
            Show them
          </a>
        </p>
      )}
      {!refusal && (
        <>
          <div className="cards cards-four">
            {MOVE_TYPES.map((type) => {
              const total = totals.find((entry) => entry.move_type === type)
              return (
                <div key={type} className="card">
                  <h2>{type}</h2>
                  {areCostsSeen() && <p className="card-figure">{showMoney(total?.total_cost ?? 0)}</p>}
                  <p className={areCostsSeen() ? 'card-note' : 'card-figure'}>
                    {showCount(total?.count ?? 0)} delivered
                  </p>
                </div>
              )
            })}
          </div>
          <List
            path={paths.transports.completed}
            file={paths.api.exports('transports-completed')}
            listName="transports-completed"
            live="transports"
            query={query}
            meta={meta}
            names={names}
            lines={lines}
            caption="Completed transports"
            empty={{
              title: 'No delivered transport has a move date in this period',
              hint: 'Change the dates or the search text above.',
            }}
            columns={COMPLETED_COLUMNS}
          />
        </>
      )}
      <Island name="modal" id="modal" props={{}} />
    </>
  )
}
