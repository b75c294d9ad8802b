import { Elysia } from 'elysia'
import { z } from 'zod'
import { ResetFactorForm } from '../../../views/users/form'
import { SessionsPage } from '../../../views/users/sessions'
import { accept } from '../../platform/accept'
import { currentPassword } from '../../platform/auth/confirmation'
import { signedInPages } from '../../platform/auth/guard'
import { resetOtherSecondFactor } from '../../platform/auth/second-factor'
import type { AppContext } from '../../platform/context'
import { idParams } from '../../platform/fields'
import { about } from '../../platform/http/about'
import { failed } from '../../platform/http/message'
import { attempt } from '../../platform/http/page'
import { paths, withQuery } from '../../platform/paths'
import { isDone } from '../../platform/refusals'
import { findUser } from './queries'
import { endSessions, sessionsOf } from './sessions'

export const sessionPages = (ctx: AppContext) => {
  const { db, clock } = ctx
  return new Elysia({ detail: about({ role: 'admin' }) })
    .use(signedInPages(ctx))
    .get(
      paths.users.sessions.pattern,
      async ({ params, session, page }) => {
        const [{ username }, open] = await Promise.all([
          findUser(db, params.id),
          sessionsOf(db, params.id, session, clock.now()),
        ])
        return page(
          'Sessions',
          <SessionsPage id={params.id} username={username} sessions={open} timeZone={clock.timeZone} />,
        )
      },
      { params: idParams, detail: about({ summary: 'Sessions of a user' }) },
    )
    .get(
      paths.users.resetFactor.pattern,
      async ({ params, page, back }) => {
        const { username } = await findUser(db, params.id)
        return page(
          'Reset two-factor authentication',
          <ResetFactorForm
            username={username}
            action={paths.users.resetFactor(params.id)}
            form={{ values: {}, back: back(paths.users.list) }}
          />,
        )
      },
      { params: idParams, detail: about({ summary: 'Confirm the reset of two-factor authentication' }) },
    )
    .post(
      paths.users.resetFactor.pattern,
      async ({ params, form, session, write, redirect, back }) => {
        const { value: isReset, refusal } = await attempt(() => {
          const { current_password } = accept(z.object({ current_password: currentPassword }), form)
          return isDone(resetOtherSecondFactor(ctx, write, session, params.id, current_password))
        })
        if (refusal?.errors?.some(({ field }) => field === 'current_password'))
          return redirect(withQuery(paths.confirmPassword, { next: paths.users.resetFactor(params.id) }))
        if (refusal) return redirect(back(paths.users.list), failed(refusal.errors?.[0]?.message ?? refusal.message))
        return redirect(
          back(paths.users.list),
          isReset ? 'Two-factor authentication is off for this user' : 'This user has no two-factor authentication',
        )
      },
      {
        params: idParams,
        detail: about({ summary: 'Turn off the two-factor authentication of a user', isSensitive: true }),
      },
    )
    .post(
      paths.users.endSessions.pattern,
      async ({ params, form, session, write, redirect, back }) => {
        const key = typeof form.key === 'string' && form.key ? form.key : null
        const { value: isEnded, refusal } = await attempt(() =>
          isDone(endSessions(ctx, write, session, params.id, key)),
        )
        if (refusal) return redirect(withQuery(paths.confirmPassword, { next: paths.users.sessions(params.id) }))
        if (!isEnded) return redirect(back(paths.users.list), 'The session had already ended')
        return redirect(back(paths.users.list), key ? 'Session ended' : 'Sessions ended')
      },
      { params: idParams, detail: about({ summary: 'End one session or all sessions of a user' }) },
    )
}
