import { Elysia } from 'elysia'
import { CompletedTransportsPage } from '../../../views/transports/completed-page'
import { accept, acceptLeniently } from '../../platform/accept'
import { signedInPages } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { about } from '../../platform/http/about'
import { metaOf } from '../../platform/http/answers'
import { attempt } from '../../platform/http/page'
import { loadFilterNames } from '../../platform/lists/layouts/filter-names'
import { paths } from '../../platform/paths'
import { transportListings } from './listings'
import { reportDates, reportPeriod, transportFilters } from './rules'
import { completedFigures, LATER_LIMIT } from './totals'

export const completedReportPage = (ctx: AppContext) => {
  const { db, clock } = ctx
  return new Elysia().use(signedInPages(ctx)).get(
    paths.transports.completed,
    async ({ query, page }) => {
      const filters = acceptLeniently(transportFilters, query)
      const { value: period, refusal } = await attempt(async () =>
        reportPeriod(accept(reportDates, query), clock.today()),
      )
      if (refusal) {
        const empty = { ...filters, start_date: filters.start_date ?? '', end_date: filters.end_date ?? '' }
        return page(
          'Completed Transport Report',
          <CompletedTransportsPage
            lines={[]}
            totals={[]}
            query={empty}
            meta={metaOf(filters, 0)}
            refusal={refusal.message}
          />,
          refusal.status,
        )
      }
      const within = { ...filters, ...period }
      const [{ lines, total }, { totals, over, later }, names] = await Promise.all([
        transportListings.completed(db, clock, within).lines(),
        completedFigures(db, within),
        loadFilterNames(db, within),
      ])
      return page(
        'Completed Transport Report',
        <CompletedTransportsPage
          {...{ lines, totals, names, over, later }}
          laterLimit={LATER_LIMIT}
          query={within}
          meta={metaOf(filters, total)}
        />,
      )
    },
    { detail: about({ summary: 'Completed Transport Report' }) },
  )
}
