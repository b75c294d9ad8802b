import { Elysia } from 'elysia'
import { z } from 'zod'
import { passkeys } from '../../../db/schema'
import type { AppContext } from '../context'
import { object, record, string } from '../docs/schema'
import { idParams, requiredText } from '../fields'
import { about } from '../http/about'
import { answer, answerRowsOrPage } from '../http/answers'
import { data, message, page } from '../http/shapes'
import { partQuery } from '../lists/list-query'
import { addPasskey, beginPasskey } from './add-passkey'
import { CONFIRMED, currentPassword } from './confirmation'
import { signedIn } from './guard'
import { CREDENTIAL_LIMIT, listPasskeys, removePasskey, siteOf } from './passkeys'

const PASSKEY = record(passkeys, {}, ['public_key', 'credential_id', 'counter', 'origin'])
const passwordOnly = z.object({ current_password: currentPassword }).optional()

export const passkeysApi = (ctx: AppContext) =>
  new Elysia({ prefix: '/passkeys', detail: about({ what: 'Passkey' }) })
    .use(signedIn(ctx))
    .get('', async ({ user, query }) => answerRowsOrPage(await listPasskeys(ctx.db, user.id), query), {
      query: partQuery,
      detail: about({ summary: 'Your passkeys', answers: page(PASSKEY) }),
    })
    .post(
      '/options',
      async ({ body, session, request }) =>
        answer(await beginPasskey(ctx, session, siteOf(request, ctx.config), body?.current_password)),
      {
        body: passwordOnly,
        detail: about({
          summary: 'Start adding a passkey',
          description:
            `Pass \`options\` to the browser's \`navigator.credentials.create\`. ` +
            `Two-factor authentication must be on. This is a sensitive change. ${CONFIRMED}`,
          answers: data(object({ options: { type: 'object' }, ticket: string })),
        }),
      },
    )
    .post(
      '',
      async ({ body, session, write, request, set }) => {
        const added = await addPasskey(ctx, write, session, siteOf(request, ctx.config), body)
        set.status = 201
        return answer(added)
      },
      {
        body: z.object({
          ticket: requiredText('Send the ticket that you received when you started to add the passkey', 2000),
          name: requiredText('Enter a name', 60),
          credential: z
            .record(z.string(), z.unknown(), { error: 'Must be the passkey data that the browser created' })
            .refine((credential) => JSON.stringify(credential).length <= CREDENTIAL_LIMIT, 'Is too large'),
        }),
        detail: about({
          summary: 'Add a passkey',
          description: 'Send the `ticket` of the setup and the credential that the browser created.',
          answers: data(PASSKEY, 201),
        }),
      },
    )
    .delete(
      '/:id',
      async ({ params, body, session, write }) => {
        await removePasskey(ctx, write, session, params.id, body?.current_password)
        return { success: true as const, message: 'The passkey was removed' }
      },
      {
        params: idParams,
        body: passwordOnly,
        detail: about({ summary: 'Remove one of your passkeys', answers: message() }),
      },
    )
