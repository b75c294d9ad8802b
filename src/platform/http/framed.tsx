import { isValidElement, type ReactNode } from 'react'
import { ROWS_HERE, RowsLater } from '../../../views/ui/list-rows'
import type { Line } from '../records/listing'

/** A page around the rows of its list, and what draws them. */
type Frame = { before: string; after: string; rows: (lines: Line<never>[]) => string }

const MOST = 60
/** The frames of each page by all that they show. */
const known = new WeakMap<object, Map<string, Frame>>()

/** What a frame follows from, as a key; undefined when that is more than plain data. */
function keyOf(props: object, lines: unknown[], scope: string): string | undefined {
  let isPlain = true
  const key = JSON.stringify({ ...props, lines: lines.length, scope }, (_, value) => {
    if (typeof value === 'function' || isValidElement(value)) isPlain = false
    return value
  })
  return isPlain ? key : undefined
}

function frameOf(body: ReactNode, draw: (body: ReactNode) => string): Frame {
  const later: { draw?: Frame['rows'] } = {}
  const whole = draw(<RowsLater.Provider value={later}>{body}</RowsLater.Provider>)
  const at = whole.indexOf(ROWS_HERE)
  if (at < 0 || !later.draw) return { before: whole, after: '', rows: () => '' }
  return { before: whole.slice(0, at), after: whole.slice(at + ROWS_HERE.length), rows: later.draw }
}

/** A page that says of itself that it is the same for many requests, though it has no list. */
export type DrawnOnce = { isDrawnOnce?: true }

/**
 * Draws a page. What stands around the rows of a list (tools, headings, pager) is the same for many requests and is
 * drawn once for what it shows; the rows are remembered one by one.
 * @param scope what a page depends on beside its props: its reader's layouts, the day
 */
export function framed(body: ReactNode, scope: string, draw: (body: ReactNode) => string): string {
  if (!isValidElement<{ lines?: unknown }>(body) || typeof body.type !== 'function') return draw(body)
  const { lines } = body.props
  const isKept = Array.isArray(lines) || (body.type as DrawnOnce).isDrawnOnce
  const key = isKept ? keyOf(body.props, Array.isArray(lines) ? lines : [], scope) : undefined
  if (key === undefined) return draw(body)
  const frames = known.get(body.type) ?? new Map<string, Frame>()
  known.set(body.type, frames)
  let frame = frames.get(key)
  if (!frame) {
    frame = frameOf(body, draw)
    if (frames.size >= MOST) frames.delete(frames.keys().next().value as string)
    frames.set(key, frame)
  }
  return frame.before + frame.rows(lines as Line<never>[]) + frame.after
}
