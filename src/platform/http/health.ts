import { Elysia } from 'elysia'
import { PRODUCT } from '../../../db/vocabulary'
import type { AppContext } from '../context'
import { COMMIT } from '../version'
import { about } from './about'

const READY_WITHIN_MS = 2000

export const health = ({ database }: AppContext) =>
  new Elysia({ detail: about({ role: 'anyone' }) })
    .get('/healthz', () => ({ status: 'ok', version: PRODUCT.version, commit: COMMIT }), {
      detail: about({ summary: 'Check that the server is running' }),
    })
    .get(
      '/readyz',
      async ({ set }) => {
        const slow = new Promise<never>((_, reject) => setTimeout(reject, READY_WITHIN_MS).unref())
        const isReady = await Promise.race([database.raw('select 1', []), slow]).then(
          () => true,
          () => false,
        )
        set.status = isReady ? 200 : 503
        return { status: isReady ? 'ready' : 'database away' }
      },
      { detail: about({ summary: 'Check that the database responds' }) },
    )
