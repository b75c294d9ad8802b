import { Elysia } from 'elysia'
import { ColumnsForm } from '../../../../views/lists/columns-form'
import { FilterForm } from '../../../../views/lists/filter-form'
import { companyOptions, locationOptions, vendorOptions } from '../../../../views/places/options'
import { accept } from '../../accept'
import { signedInPages } from '../../auth/guard'
import type { AppContext } from '../../context'
import { about } from '../../http/about'
import { kinds } from '../../kinds'
import { paths } from '../../paths'
import { Missing } from '../../refusals'
import { FILTERS, type FilterName } from '../filters'
import { findList, type ListKind } from '../kind'
import { viewUrl } from '../saved-views/rules'
import { layOut, USUAL_LAYOUT } from './queries'
import { type ListLayout, listLayoutForm, listParams } from './rules'

const pageOf = (list: string) => viewUrl({ list, query: '' })

function layoutFrom(list: string, shown: string[], density: ListLayout['density']): ListLayout {
  const choices = findList(list)?.columns?.() ?? []
  return {
    hidden: choices.filter(({ label, isExtra }) => !isExtra && !shown.includes(label)).map(({ label }) => label),
    added: choices.filter(({ label, isExtra }) => isExtra && shown.includes(label)).map(({ label }) => label),
    density,
  }
}

export const listsPages = (ctx: AppContext) => {
  const { db } = ctx
  return new Elysia()
    .use(signedInPages(ctx))
    .get(
      paths.lists.columns.pattern,
      ({ params: { list }, session, page, back }) => {
        const layout = session.layouts[list] ?? USUAL_LAYOUT
        const to = back(pageOf(list))
        const form = { values: { density: layout.density }, back: to }
        return page(
          'Columns of this list',
          <ColumnsForm list={findList(list) as ListKind} layout={layout} back={to} form={form} />,
        )
      },
      { params: listParams, detail: about({ summary: 'Choose the columns of a list' }) },
    )
    .post(
      paths.lists.columns.pattern,
      async ({ params: { list }, body, form, user, write, redirect, back }) => {
        // Read the checkboxes from `body`. If several checked boxes have the same name, `form` contains only the last
        // one.
        const { shown, density } = accept(listLayoutForm, body)
        const layout = form.usual ? null : layoutFrom(list, shown, density)
        await layOut(write, user.id, list, layout)
        return redirect(back(pageOf(list)), layout ? 'Columns saved' : 'Default columns restored')
      },
      { params: listParams, detail: about({ summary: 'Save your list layout' }) },
    )
    .get(
      paths.lists.filter.pattern,
      async ({ params: { list }, query, page }) => {
        const { path, filters } = findList(list) as ListKind
        if (!filters) throw new Missing('Page')
        const [locations, companies, vendors] = await Promise.all([
          kinds('places').location.active(db),
          filters.transport_company_id ? kinds('places').company.active(db) : [],
          filters.vendor_id ? kinds('places').vendor.active(db) : [],
        ])
        // Keep the query parameters for which the filter form has no input, such as the date filters on the list's
        // page. Drop `page`, so that the filtered list starts at its first page.
        const isOwn = (name: string) =>
          name === 'page' || name in filters || (name in FILTERS && FILTERS[name as FilterName].input !== 'date')
        return page(
          'Filter this list',
          <FilterForm
            path={path}
            filters={filters}
            form={{ values: query }}
            otherParameters={Object.entries(query).filter(([name]) => !isOwn(name))}
            locations={locationOptions(locations)}
            companies={companyOptions(companies)}
            vendors={vendorOptions(vendors)}
          />,
        )
      },
      { params: listParams, detail: about({ summary: 'Filter a list' }) },
    )
}
