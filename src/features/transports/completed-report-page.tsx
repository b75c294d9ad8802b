import { Elysia } from 'elysia'
import { CompletedTransportsPage } from '../../../views/transports/completed-page'
import { accept, acceptLeniently } from '../../platform/accept'
import { signedInPages } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { about } from '../../platform/http/about'
import { metaOf } from '../../platform/http/answers'
import { attempt } from '../../platform/http/page'
import { namesIn } from '../../platform/lists/layouts/narrowed'
import { paths } from '../../platform/paths'
import { transportListings } from './listings'
import { reportDates, reportPeriod, transportFilters } from './rules'
import { completedFigures } from './totals'

export const completedReportPage = (ctx: AppContext) => {
  const { db, clock } = ctx
  return new Elysia().use(signedInPages(ctx)).get(
    paths.transports.completed,
    async ({ query, page }) => {
      const asked = acceptLeniently(transportFilters, query)
      const { value: period, refusal } = await attempt(async () =>
        reportPeriod(accept(reportDates, query), clock.today()),
      )
      if (refusal) {
        const empty = { ...asked, start_date: asked.start_date ?? '', end_date: asked.end_date ?? '' }
        return page(
          'Completed Transport Report',
          <CompletedTransportsPage
            lines={[]}
            totals={[]}
            query={empty}
            meta={metaOf(asked, 0)}
            refusal={refusal.message}
          />,
          refusal.status,
        )
      }
      const within = { ...asked, ...period }
      const [{ lines, total }, { totals, over, later }, names] = await Promise.all([
        transportListings.completed(db, clock, within).lines(),
        completedFigures(db, within),
        namesIn(db, within),
      ])
      return page(
        'Completed Transport Report',
        <CompletedTransportsPage
          {...{ lines, totals, names, over, later }}
          query={within}
          meta={metaOf(asked, total)}
        />,
      )
    },
    { detail: about({ summary: 'Completed Transport Report' }) },
  )
}
