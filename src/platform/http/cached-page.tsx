import { isValidElement, type ReactNode } from 'react'
import { ROWS_HERE, RowsLater } from '../../../views/ui/list-rows'
import type { SerializedRow } from '../records/listing'

/** A rendered list page without its rows. `before` and `after` are the markup around the rows. */
type Frame = { before: string; after: string; rows: (lines: SerializedRow<never>[]) => string[] }

const MAX_FRAMES = 60
const frameCache = new WeakMap<object, Map<string, Frame>>()

/**
 * Returns the cache key of a page, built from its props.
 * Returns undefined if the props contain functions or React elements, because these cannot be part of a key.
 */
function keyOf(props: object, lines: unknown[], scope: string): string | undefined {
  let isPlain = true
  const key = JSON.stringify({ ...props, lines: lines.length, scope }, (_, value) => {
    if (typeof value === 'function' || isValidElement(value)) isPlain = false
    return value
  })
  return isPlain ? key : undefined
}

function renderFrame(body: ReactNode, draw: (body: ReactNode) => string): Frame {
  const later: { draw?: Frame['rows'] } = {}
  const whole = draw(<RowsLater.Provider value={later}>{body}</RowsLater.Provider>)
  const at = whole.indexOf(ROWS_HERE)
  if (at < 0 || !later.draw) return { before: whole, after: '', rows: () => [] }
  return { before: whole.slice(0, at), after: whole.slice(at + ROWS_HERE.length), rows: later.draw }
}

/**
 * Set `isDrawnOnce` on a page component to cache its markup.
 * Pages with a list are cached even without this property.
 */
export type DrawnOnce = { isDrawnOnce?: true }

/**
 * Renders a page as pieces of markup, and reuses cached pieces.
 * The markup around the rows of a list (tools, headings, pager) is the same for many requests, so it is cached. The
 * cache key is the page's props. Rows are cached separately.
 * The pieces are not joined, because joining takes longer than encoding them one by one.
 * @param scope identifies everything that affects the page besides its props, such as the user's layouts and the
 * current day
 */
export function renderCached(body: ReactNode, scope: string, draw: (body: ReactNode) => string): string[] {
  if (!isValidElement<{ lines?: unknown }>(body) || typeof body.type !== 'function') return [draw(body)]
  const { lines } = body.props
  const isCacheable = Array.isArray(lines) || (body.type as DrawnOnce).isDrawnOnce
  const key = isCacheable ? keyOf(body.props, Array.isArray(lines) ? lines : [], scope) : undefined
  if (key === undefined) return [draw(body)]
  const frames = frameCache.get(body.type) ?? new Map<string, Frame>()
  frameCache.set(body.type, frames)
  let frame = frames.get(key)
  if (!frame) {
    frame = renderFrame(body, draw)
    if (frames.size >= MAX_FRAMES) frames.delete(frames.keys().next().value as string)
    frames.set(key, frame)
  }
  return [frame.before, ...frame.rows(lines as SerializedRow<never>[]), frame.after]
}
