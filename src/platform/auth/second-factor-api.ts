import { Elysia } from 'elysia'
import { z } from 'zod'
import type { AppContext } from '../context'
import { list, object, string } from '../docs/schema'
import { requiredText } from '../fields'
import { about } from '../http/about'
import { answer } from '../http/answers'
import { data, message } from '../http/shapes'
import { CONFIRMED, currentPassword } from './confirmation'
import { signedIn } from './guard'
import { beginSecondFactor, confirmSecondFactor, removeOwnSecondFactor } from './second-factor'

const passwordOnly = z.object({ current_password: currentPassword }).optional()

export const secondFactorApi = (ctx: AppContext) =>
  new Elysia({ detail: about({ isOpenWhileFactorDue: true }) })
    .use(signedIn(ctx))
    .post(
      '/totp',
      async ({ body, session, write }) => {
        const { secret, url } = await beginSecondFactor(ctx, write, session, body?.current_password)
        return answer({ secret, url })
      },
      {
        body: passwordOnly,
        detail: about({
          summary: 'Start setting up two-factor authentication',
          description:
            `Show \`url\` as a QR code. Turn two-factor authentication on with the first code from the app. ` +
            `This is a sensitive change. ${CONFIRMED}`,
          answers: data(object({ secret: string, url: string })),
        }),
      },
    )
    .post(
      '/totp/confirm',
      async ({ body, session, write }) => {
        const { recovery_codes } = await confirmSecondFactor(ctx, write, session, body.code)
        return answer({ recovery_codes })
      },
      {
        body: z.object({ code: requiredText('Enter a code', 40) }),
        detail: about({
          summary: 'Turn two-factor authentication on',
          description:
            'The response shows ten recovery codes once. Each recovery code can replace a code from the ' +
            'app for one sign-in.',
          what: 'Second factor',
          answers: data(object({ recovery_codes: list(string) })),
        }),
      },
    )
    .delete(
      '/totp',
      async ({ body, session, write }) => {
        await removeOwnSecondFactor(ctx, write, session, body?.current_password)
        return { success: true as const, message: 'Two-factor authentication is off' }
      },
      {
        body: passwordOnly,
        detail: about({ summary: 'Turn two-factor authentication off', what: 'Second factor', answers: message() }),
      },
    )
