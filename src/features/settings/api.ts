import { Elysia } from 'elysia'
import { signedIn } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { ref } from '../../platform/docs/schema'
import { about } from '../../platform/http/about'
import { answer } from '../../platform/http/answers'
import { data } from '../../platform/http/shapes'
import { updateSettings } from './mutations'
import { findSettings } from './queries'
import { settingsChange } from './rules'

export const settingsApi = (ctx: AppContext) => {
  const { db } = ctx
  return new Elysia({ prefix: '/api/settings', detail: about({ tags: ['settings'] }) })
    .use(signedIn(ctx))
    .get('/', async () => answer(await findSettings(db)), {
      detail: about({ summary: 'Company settings', answers: data(ref('Settings')) }),
    })
    .put('/', async ({ body, write, session }) => answer(await updateSettings(ctx, write, session, body)), {
      body: settingsChange,
      detail: about({
        role: 'admin',
        summary: 'Change the settings',
        description:
          'Letterhead, lead times for due items, purchase order numbers, and permissions for costs and invoices. ' +
          'Also sets after how many days audit entries, deleted records, imports and sign-ins are deleted.',
        answers: data(ref('Settings')),
      }),
    })
}
