import { Elysia } from 'elysia'
import { SCANS } from '../../../db/vocabulary'
import { signedIn } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { integer, object, oneOf, string } from '../../platform/docs/schema'
import { about } from '../../platform/http/about'
import { answer } from '../../platform/http/answers'
import { data } from '../../platform/http/shapes'
import { scanUnit } from './queries'
import { scan } from './rules'

const SCANNED = object({
  id: integer,
  as: oneOf(SCANS),
  entity: string,
  record_id: integer,
  unit_number: string,
  text: string,
})

export const scanApi = (ctx: AppContext) =>
  new Elysia({ prefix: '/api/scan', detail: about({ tags: ['bulk'] }) })
    .use(signedIn(ctx))
    .post('/', async ({ body, actor }) => answer(await scanUnit(ctx.db, actor, ctx.clock, body)), {
      body: scan,
      detail: about({
        summary: 'Deliver a unit, receive its papers or transfer its title, by its number alone',
        description:
          '`unit` is a unit number, a VIN or the end of one. `delivered` takes its transport under way, `received` its registration without papers, `transferred` its pending title. `POST /bulk/{id}/undo` takes it back.',
        answers: data(SCANNED, 201),
      }),
    })
