import { Elysia } from 'elysia'
import { z } from 'zod'
import { signedIn } from '../auth/guard'
import { isSessionOpen, type Session } from '../auth/sessions'
import type { AppContext } from '../context'
import { optionalCount } from '../fields'
import { about } from '../http/about'
import { EVENTS, events } from '../http/shapes'
import { Refusal } from '../refusals'
import { type Change, isForAdmins } from './changes'
import { changeFeed } from './feed'

/** So often a silent stream says that it is there, and whether its reader may still read is looked at. */
const SIGN_EVERY_MS = 15_000
/** So many pieces may wait for a reader; one that is slower reconnects and asks anew. */
const WAITING = 10_000
const STREAMS = 1000
/** A comment, which readers skip. */
const SIGN = ': here\n\n'

const recentFilter = z.object({ ago: optionalCount(60).optional() })

const eventOf = (change: Change) => `event: change\ndata: ${JSON.stringify(change)}\n\n`

export const liveApi = (ctx: AppContext) => {
  let streams = 0

  /** A stream of what changed in the last `ago` seconds and from now on, for as long as the sign-in lasts. */
  async function open({ id, user }: Session, ago: number): Promise<ReadableStream<Uint8Array>> {
    if (streams >= STREAMS) throw new Refusal(503, 'Too many listen already; please try again later')
    const text = new TextEncoder()
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined
    let stop = () => {}
    const end = () => {
      if (!controller) return
      controller = undefined
      streams--
      stop()
    }
    const close = () => {
      controller?.close()
      end()
    }
    const send = (words: string) => {
      if (controller && (controller.desiredSize ?? 0) <= 0) close()
      controller?.enqueue(text.encode(words))
    }
    const stream = new ReadableStream<Uint8Array>(
      {
        start(of) {
          controller = of
        },
        cancel: end,
      },
      new CountQueuingStrategy({ highWaterMark: WAITING }),
    )
    streams++
    const tell = (changes: Change[]) => {
      for (const change of changes) if (user.role === 'admin' || !isForAdmins(change)) send(eventOf(change))
    }
    const feed = changeFeed(ctx)
    const unlisten = await feed.listen(tell, close).catch((error) => {
      end()
      throw error
    })
    const sign = setInterval(async () => {
      const isOpen = await isSessionOpen(ctx.db, id, user, ctx.clock.now()).catch(() => true)
      if (isOpen) send(SIGN)
      else close()
    }, SIGN_EVERY_MS).unref()
    stop = () => {
      clearInterval(sign)
      unlisten()
    }
    send(SIGN)
    if (ago > 0) tell(await feed.recent(ago))
    return stream
  }

  return new Elysia({ prefix: '/api/events', detail: about({ tags: ['live'] }) }).use(signedIn(ctx)).get(
    '/',
    async ({ session, query, request, server }) => {
      const headers = { 'content-type': EVENTS, 'x-accel-buffering': 'no' }
      if (request.method === 'HEAD') return new Response(null, { headers })
      const stream = await open(session, query.ago ?? 0)
      // It is silent for as long as nothing changes.
      server?.timeout(request, 0)
      return new Response(stream, { headers })
    },
    {
      query: recentFilter,
      detail: about({
        summary: 'Every change as it happens',
        description:
          'Server-sent events: `event: change` with `data: {"entity","id","version","unit_number"}` within two seconds of a change by anybody. `entity` is the table of the record, `version` is null when it was deleted. `ago` begins with those of the last seconds, at most 60. The stream ends with the sign-in.',
        answers: events(),
      }),
    },
  )
}
