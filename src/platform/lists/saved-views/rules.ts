import { z } from 'zod'
import { VIEW_LISTS, type ViewList } from '../../../../db/vocabulary'
import { changeOf, choice, optionalChoice, optionalCount, requiredText, yesNo } from '../../fields'
import { paths } from '../../paths'
import { listQuery } from '../list-query'

/** What `query` may not carry: where somebody stands in a list is not what the list shows. */
const PLACES = ['page', 'view']

/** What stands behind the `?` of a list's address, without where somebody stood in it. */
const addressQuery = z.preprocess(
  (value) => (typeof value === 'string' ? value.trim().replace(/^\?/, '') : value),
  z
    .string({ error: 'Must be what stands behind the ? of the address' })
    .max(2000, 'Is too long')
    .transform((text) => {
      const query = new URLSearchParams(text)
      for (const name of PLACES) query.delete(name)
      return query.toString()
    })
    .default(''),
)

export const savedView = z.object({
  list: choice(VIEW_LISTS, 'Choose one of the lists'),
  name: requiredText('Please enter a name', 50),
  query: addressQuery,
  shared: yesNo(false),
})
export type SavedViewValues = z.output<typeof savedView>

/** The view in whose place a list is kept; none where it is a new one. */
export const viewInstead = z.object({ instead: optionalCount() })

export const savedViewChange = changeOf(savedView)
export type SavedViewChange = Omit<z.output<typeof savedViewChange>, 'version'>

export const savedViewFilters = listQuery(['name'], 'name').extend({ list: optionalChoice(VIEW_LISTS) })
export type SavedViewFilters = z.output<typeof savedViewFilters>

/** Where each list is looked at. */
const PAGES: Record<ViewList, string> = {
  transports: paths.transports.active,
  'transports-active': paths.transports.active,
  'transports-completed': paths.transports.completed,
  osl: paths.osl.active,
  'osl-active': paths.osl.active,
  'osl-completed': paths.osl.completed,
  registrations: paths.registrations.list,
  titles: paths.titles.list,
  due: paths.due.list,
}

/** The address that opens a view. */
export const addressOf = ({ list, query }: { list: ViewList; query: string }) =>
  query ? `${PAGES[list]}?${query}` : PAGES[list]
