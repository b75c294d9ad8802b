import { z } from 'zod'
import { LIST_DENSITIES } from '../../../../db/vocabulary'
import { choice, choiceAmong, choiceOr } from '../../fields'
import { listsWithColumns } from '../kind'

const columns = z
  .array(z.string().trim().min(1).max(40), { error: 'Must be a list of column headings' })
  .max(30, 'At most 30 columns')
  .default([])

/** A user's layout of a list. Columns are identified by their headings. Unknown headings are ignored. */
export const listLayout = z.object({
  hidden: columns,
  added: columns,
  density: choiceOr(LIST_DENSITIES, 'compact'),
})
export type ListLayout = z.output<typeof listLayout>

/** The layouts of a user, by list name. A list without an entry has the default layout. */
export type ListLayouts = Partial<Record<string, ListLayout>>

export const listLayoutForm = z.object({
  shown: z.preprocess((value) => (typeof value === 'string' ? [value] : value), columns),
  density: listLayout.shape.density,
})

export const listParams = z.object({
  list: choiceAmong(
    () => listsWithColumns().map(({ name }) => name),
    (names) => choice(names, 'Choose one of the lists'),
  ),
})
