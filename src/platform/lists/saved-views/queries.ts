import { and, asc, eq, or, sql } from 'drizzle-orm'
import { type Db, rows, violatedUnique } from '../../../../db/client'
import { savedViews } from '../../../../db/schema'
import type { Role } from '../../../../db/vocabulary'
import type { Clock } from '../../clock'
import type { Page } from '../../http/answers'
import { naturally } from '../../records/natural-order'
import { containing } from '../../records/search'
import type { Write } from '../../records/transactions'
import { changeRecord, createRecord, removeRecord } from '../../records/write'
import { Conflict, Forbidden, Missing } from '../../refusals'
import { countViewRows } from './counts'
import { type SavedViewChange, type SavedViewFilters, type SavedViewValues, viewUrl } from './rules'
import { type SidebarView, sidebarViews } from './sql'

type Reader = { username: string; role: Role; sees_costs: boolean }
type StoredView = typeof savedViews.$inferSelect

export type SavedView = StoredView & { url: string; is_own: boolean }

const seenBy =
  ({ username }: Reader) =>
  (view: StoredView): SavedView => ({ ...view, url: viewUrl(view), is_own: view.created_by === username })

const isVisibleTo = ({ username }: Reader) => or(eq(savedViews.created_by, username), eq(savedViews.shared, true))

export async function listViews(db: Db, reader: Reader, query: SavedViewFilters): Promise<Page<SavedView>> {
  const { page, per_page, q, list, order } = query
  const where = and(
    isVisibleTo(reader),
    list ? eq(savedViews.list, list) : undefined,
    q ? sql`${savedViews.name} ilike ${containing(q)}` : undefined,
  )
  const name = naturally(savedViews.name)
  const [views, total] = await Promise.all([
    db
      .select()
      .from(savedViews)
      .where(where)
      .orderBy(order === 'desc' ? sql`${name} desc` : name, asc(savedViews.id))
      .limit(per_page)
      .offset((page - 1) * per_page),
    db.$count(savedViews, where),
  ])
  return { rows: views.map(seenBy(reader)), total }
}

export const ownViews = (db: Db, { username }: Reader, list: unknown): Promise<Pick<StoredView, 'id' | 'name'>[]> =>
  db
    .select({ id: savedViews.id, name: savedViews.name })
    .from(savedViews)
    .where(and(eq(savedViews.created_by, username), sql`${savedViews.list}::text = ${String(list)}`))
    .orderBy(naturally(savedViews.name))

/** Time limit for the counts of the sidebar. Other users can share views whose counts take a second each. */
const COUNT_FOR_MS = 2000

/** Counts the rows of the views in the sidebar. The count is null for the views that the time limit did not reach. */
export async function countViews(
  db: Db,
  clock: Clock,
  reader: Reader,
): Promise<{ id: number; count: number | null }[]> {
  const viewCounts: { id: number; count: number | null }[] = []
  const end = performance.now() + COUNT_FOR_MS
  // Count the views one after another, because parallel counts would take database connections from other requests.
  const [sidebar] = await rows<{ views: SidebarView[] }>(
    db,
    sql`select ${sidebarViews(sql`${reader.username}::text`)} as views`,
  )
  for (const view of sidebar?.views ?? [])
    viewCounts.push({
      id: view.id,
      count: performance.now() < end ? await countViewRows(db, clock, reader, view) : null,
    })
  return viewCounts
}

/** @throws Missing when the saved view does not exist, or when it belongs to another user and is not shared */
export async function findView(db: Db, reader: Reader, id: number): Promise<SavedView> {
  const [view] = await db
    .select()
    .from(savedViews)
    .where(and(eq(savedViews.id, id), isVisibleTo(reader)))
  if (!view) throw new Missing('View')
  return seenBy(reader)(view)
}

/**
 * Loads a saved view that the user can edit. Owners can edit their views. Administrators can also edit the shared views
 * of other users.
 * @throws Missing when the user cannot see the view, Forbidden when the user cannot edit it
 */
export async function findOwnView(db: Db, reader: Reader, id: number): Promise<SavedView> {
  const view = await findView(db, reader, id)
  if (!view.is_own && reader.role !== 'admin') throw new Forbidden('This view belongs to another user')
  return view
}

function refusingTaken(error: unknown): never {
  if (violatedUnique(error) === null) throw error
  const message = 'You already have a view with this name for this list'
  throw new Conflict(message, [{ field: 'name', message }])
}

/** Maximum number of saved views of a user. The sidebar of every user loads all shared views. */
const VIEWS_PER_USER = 200

/** @throws Conflict when the user already has a view with this name for the list, or too many views */
export async function createView(write: Write, reader: Reader, values: SavedViewValues): Promise<SavedView> {
  if ((await write.db.$count(savedViews, eq(savedViews.created_by, reader.username))) >= VIEWS_PER_USER)
    throw new Conflict(`You already have ${VIEWS_PER_USER} saved views. Delete one before you add another.`)
  return seenBy(reader)(await createRecord(write, savedViews, values).catch(refusingTaken))
}

/**
 * @throws Missing when the user cannot see the view, Forbidden when the user cannot edit it, Stale when the view was
 * changed since `version`, Conflict when the owner already has a view with the new name
 */
export async function updateView(
  write: Write,
  reader: Reader,
  id: number,
  version: number | undefined,
  values: SavedViewChange,
): Promise<SavedView> {
  await findOwnView(write.db, reader, id)
  const change = { id, version, what: 'View', values }
  return seenBy(reader)((await changeRecord(write, savedViews, change).catch(refusingTaken)).after)
}

/** @throws Missing when the user cannot see the view, Forbidden when the user cannot delete it */
export async function removeView(write: Write, reader: Reader, id: number): Promise<SavedView> {
  await findOwnView(write.db, reader, id)
  return seenBy(reader)(await removeRecord(write, savedViews, id, 'View'))
}
