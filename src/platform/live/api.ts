import { Elysia } from 'elysia'
import { z } from 'zod'
import { signedIn } from '../auth/guard'
import type { Session } from '../auth/sessions'
import type { AppContext } from '../context'
import { optionalCount } from '../fields'
import { about } from '../http/about'
import { EVENTS, events } from '../http/shapes'
import { isForAdmins, type PublishedChange } from './changes'
import { changeFeed } from './feed'
import { eventStreams } from './streams'

/** Chunks buffered for a slow client. Beyond this it is disconnected and must reconnect. */
const QUEUE_LIMIT = 10_000
/** Comment, which clients ignore. */
const COMMENT = ': here\n\n'

const recentFilter = z.object({ ago: optionalCount(60).optional() })

const eventOf = (change: PublishedChange) => `event: change\ndata: ${JSON.stringify(change)}\n\n`

/**
 * Opens a stream of changes that lasts until the session ends.
 * It starts with the changes of the last `ago` seconds.
 */
async function openStream(ctx: AppContext, session: Session, ago: number): Promise<ReadableStream<Uint8Array>> {
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
  const write = (text: string) => {
    if (controller && (controller.desiredSize ?? 0) <= 0) close()
    controller?.enqueue(encoder.encode(text))
  }
  const send = (changes: PublishedChange[]) => {
    for (const change of changes) if (session.user.role === 'admin' || !isForAdmins(change)) write(eventOf(change))
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
  remove = await eventStreams(ctx).add({ session, send, beat: () => write(COMMENT), close })
  // The client may have disconnected in the meantime.
  if (!controller) remove()
  write(COMMENT)
  if (ago > 0) send(await changeFeed(ctx).recent(ago))
  return body
}

export const liveApi = (ctx: AppContext) =>
  new Elysia({ prefix: '/api/events', detail: about({ tags: ['live'] }) }).use(signedIn(ctx)).get(
    '/',
    async ({ session, query, request, server }) => {
      const headers = { 'content-type': EVENTS, 'x-accel-buffering': 'no' }
      if (request.method === 'HEAD') return new Response(null, { headers })
      const stream = await openStream(ctx, session, query.ago ?? 0)
      // Disables the timeout, because the stream is idle while nothing changes.
      server?.timeout(request, 0)
      return new Response(stream, { headers })
    },
    {
      query: recentFilter,
      detail: about({
        summary: 'Stream changes as they happen',
        description:
          'Server-sent events: `event: change` with `data: {"entity","id","version","unit_number"}` within two seconds of any change. `entity` is the table of the record. `version` is null if the record was deleted. `ago` also sends the changes of the last seconds, at most 60. The stream closes when the session ends.',
        answers: events(),
      }),
    },
  )
