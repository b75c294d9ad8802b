import { Elysia } from 'elysia'
import { z } from 'zod'
import { signedIn } from '../auth/guard'
import type { Session } from '../auth/sessions'
import type { AppContext } from '../context'
import { optionalCount } from '../fields'
import { about } from '../http/about'
import { EVENTS, events } from '../http/shapes'
import { batchesInTurn } from '../http/turns'
import type { Write } from '../records/transactions'
import { Refused } from '../refusals'
import { type FeedChange, isForAdmins } from './changes'
import { changeFeed } from './feed'
import { Position } from './gaps'
import { eventStreams } from './streams'

/**
 * Maximum number of chunks buffered for a slow client. A client of the event stream that exceeds the limit is
 * disconnected and must reconnect.
 */
const QUEUE_LIMIT = 10_000
/** Comment line in the event stream. It is a heartbeat, and clients ignore it. */
const COMMENT = ': here\n\n'

/**
 * Interval between checks of a slow client's send queue, in milliseconds.
 * When the queue is at most half full, the client gets the next changes that it has missed.
 */
const DRAIN_MS = 50

const recentFilter = z.object({ ago: optionalCount(60).optional() })

const eventOf = ({ position, change }: FeedChange) =>
  `event: change\nid: ${position}\ndata: ${JSON.stringify(change)}\n\n`

/**
 * Opens an event stream of record changes. It lasts until the session ends.
 * The stream starts with the changes after `since`, the id of the last event that the client received. Without `since`,
 * it starts with the changes of the last `ago` seconds.
 */
async function openStream(
  ctx: AppContext,
  write: Write,
  session: Session,
  { ago, since }: { ago: number; since: Position | undefined },
): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let remove = () => {}
  const end = () => {
    controller = undefined
    remove()
  }
  const close = () => {
    controller?.close()
    end()
  }
  const sendText = (text: string) => {
    if (controller && (controller.desiredSize ?? 0) <= 0) close()
    controller?.enqueue(encoder.encode(text))
  }
  const send = (changes: FeedChange[]) => {
    for (const one of changes) if (session.user.role === 'admin' || !isForAdmins(one.change)) sendText(eventOf(one))
  }
  /**
   * New changes that wait until the client has received missed changes. Undefined when new changes can be sent
   * immediately.
   */
  let waiting: FeedChange[] | undefined = since || ago > 0 ? [] : undefined
  async function sendMissed() {
    const sent = new Set<number>()
    const feed = changeFeed(ctx)
    const missed = since ? feed.since(since) : feed.recent(ago)
    for await (const changes of batchesInTurn(ctx, write, missed, 'missedChanges')) {
      while (controller && (controller.desiredSize ?? 0) < QUEUE_LIMIT / 2) await Bun.sleep(DRAIN_MS)
      if (!controller) return
      send(changes)
      for (const { entry } of changes) sent.add(entry)
    }
    const remaining = waiting?.filter(({ entry }) => !sent.has(entry)) ?? []
    waiting = undefined
    send(remaining)
  }
  const body = new ReadableStream<Uint8Array>(
    {
      start(opened) {
        controller = opened
      },
      cancel: end,
    },
    new CountQueuingStrategy({ highWaterMark: QUEUE_LIMIT }),
  )
  remove = await eventStreams(ctx).add({
    session,
    send: (changes) => (waiting ? waiting.push(...changes) : send(changes)),
    beat: () => sendText(COMMENT),
    close,
  })
  // If the client disconnected while the stream was being registered, remove the stream.
  if (!controller) remove()
  sendText(COMMENT)
  // Do not wait until the missed changes are sent. The response must begin immediately, even if the client reads
  // slowly.
  if (waiting) void sendMissed().catch(close)
  return body
}

export const liveApi = (ctx: AppContext) =>
  new Elysia({ prefix: '/api/events', detail: about({ tags: ['live'] }) }).use(signedIn(ctx)).get(
    '/',
    async ({ session, write, query, request, server }) => {
      const headers = { 'content-type': EVENTS, 'x-accel-buffering': 'no' }
      if (request.method === 'HEAD') return new Response(null, { headers })
      const lastEvent = request.headers.get('last-event-id')
      const since = lastEvent ? Position.parse(lastEvent) : undefined
      if (lastEvent && !since)
        throw Refused.field('Last-Event-ID', 'Must be the id of an event that this stream has sent')
      const stream = await openStream(ctx, write, session, { ago: query.ago ?? 0, since })
      // Disable the server's idle timeout, because the stream sends little while no record changes.
      server?.timeout(request, 0)
      return new Response(stream, { headers })
    },
    {
      query: recentFilter,
      detail: about({
        summary: 'Receive changes as they happen',
        description:
          'Server-sent events: `event: change` with `data: {"entity","id","version","unit_number"}` within ' +
          'two seconds of any change. `entity` is the table of the record. `version` is null if the ' +
          'record was deleted. With `ago`, the stream starts with the changes of the last `ago` seconds, at ' +
          'most 60. The `id` of an event can be sent as `Last-Event-ID` within 24 hours to receive the ' +
          'changes after it. The stream closes when the session ends.',
        answers: events(),
      }),
    },
  )
