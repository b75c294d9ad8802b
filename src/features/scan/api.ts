import { Elysia } from 'elysia'
import { signedIn } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { integer, object, oneOf, string } from '../../platform/docs/schema'
import { about } from '../../platform/http/about'
import { answer } from '../../platform/http/answers'
import { data } from '../../platform/http/shapes'
import { scanUnit } from './queries'
import { scan, scanNames } from './rules'

const scanned = () =>
  object({
    id: integer,
    as: oneOf(scanNames()),
    entity: string,
    record_id: integer,
    unit_number: string,
    text: string,
  })

export const scanApi = (ctx: AppContext) =>
  new Elysia({ prefix: '/api/scan', detail: about({ tags: ['bulk'] }) })
    .use(signedIn(ctx))
    .post('/', async ({ body, write }) => answer(await scanUnit(write, body)), {
      body: scan,
      detail: about({
        isUpsert: true,
        summary:
          'Mark the transport of a scanned unit as delivered, ' +
          'its registration papers as received or its title as transferred',
        description:
          '`unit` is a unit number, a VIN or a VIN ending. `as` selects the record: `delivered` selects ' +
          'the active transport, `received` selects the registration with outstanding papers, and ' +
          '`transferred` selects the pending title. `POST /bulk/{id}/undo` undoes the change.',
        answers: data(scanned(), 201),
      }),
    })
