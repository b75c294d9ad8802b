import { z } from 'zod'
import { changeOf, choice, choiceAmong, optionalChoice, optionalCount, requiredText, yesNo } from '../../fields'
import { paths } from '../../paths'
import { findList, listNames } from '../kind'
import { listQuery } from '../list-query'

/** Query parameters that a saved view does not store. They only describe the current position in the list. */
const PLACES = ['page', 'view']

const addressQuery = z.preprocess(
  (value) => (typeof value === 'string' ? value.trim().replace(/^\?/, '') : value),
  z
    .string({ error: 'Must be the part of the address after the ?' })
    .max(2000, 'Is too long')
    .transform((text) => {
      const query = new URLSearchParams(text)
      for (const name of PLACES) query.delete(name)
      return query.toString()
    })
    .default(''),
)

export const savedView = z.object({
  list: choiceAmong(listNames, (names) => choice(names, 'Choose one of the lists')),
  name: requiredText('Please enter a name', 50),
  query: addressQuery,
  shared: yesNo(false),
})
export type SavedViewValues = z.output<typeof savedView>

/** Id of the saved view that the form overwrites. Null if the form creates a new view. */
export const viewToReplace = z.object({ instead: optionalCount() })

export const savedViewChange = changeOf(savedView)
export type SavedViewChange = Omit<z.output<typeof savedViewChange>, 'version'>

export const savedViewFilters = listQuery(['name'], 'name').extend({ list: choiceAmong(listNames, optionalChoice) })
export type SavedViewFilters = z.output<typeof savedViewFilters>

export function viewUrl({ list, query }: { list: string; query: string }): string {
  const path = findList(list)?.path ?? paths.views.list
  return query ? `${path}?${query}` : path
}
