import { Elysia } from 'elysia'
import { SearchPage } from '../../../views/search/search-page'
import { signedInPages } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { about } from '../../platform/http/about'
import { paths, withQuery } from '../../platform/paths'
import { search } from './queries'
import { headerQuery } from './rules'

export const searchPages = (ctx: AppContext) =>
  new Elysia().use(signedInPages(ctx)).get(
    paths.search,
    async ({ query, user, page, redirect }) => {
      const { data } = headerQuery.safeParse(query)
      const find = data?.find ?? ''
      const hits = find ? await search(ctx.db, user, find) : []
      const [only] = hits
      // Open the first result directly if it is the only one, or if the input is its complete unit number.
      if (only && (hits.length === 1 || only.unit_number === find)) return redirect(only.url)
      const isUnknown = find !== '' && hits.length === 0
      const vehicleSearchUrl = withQuery(paths.vehicles.lookup, { q: find || undefined })
      return page(
        'Search',
        <SearchPage q={find} hits={hits} vehicleSearchUrl={vehicleSearchUrl} />,
        isUnknown ? 404 : 200,
      )
    },
    { detail: about({ summary: 'Results of the search in the page header' }) },
  )
