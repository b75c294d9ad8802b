import { Elysia } from 'elysia'
import { renderSVG } from 'uqr'
import { z } from 'zod'
import { RecoveryCodes, TwoFactorOff, TwoFactorOn, TwoFactorSetup } from '../../../views/profile/two-factor-page'
import type { FormState } from '../../../views/ui/form-state'
import { accept } from '../../platform/accept'
import { currentPassword } from '../../platform/auth/confirmation'
import { countRecoveryCodes } from '../../platform/auth/factor-codes'
import { signedInPages } from '../../platform/auth/guard'
import { listPasskeys, removePasskey } from '../../platform/auth/passkeys'
import {
  beginSecondFactor,
  confirmSecondFactor,
  pendingSecondFactor,
  removeOwnSecondFactor,
} from '../../platform/auth/second-factor'
import { renewSession } from '../../platform/auth/session-renewal'
import { sessionSetCookie, tokenFor, visitorOf } from '../../platform/auth/session-tokens'
import { type Session, signInOf } from '../../platform/auth/sessions'
import type { AppContext } from '../../platform/context'
import { idParams, requiredText } from '../../platform/fields'
import { about } from '../../platform/http/about'
import { failed } from '../../platform/http/message'
import { attempt } from '../../platform/http/page'
import { paths, withQuery } from '../../platform/paths'

const { show, begin, confirm, remove, removePasskey: removeOne } = paths.twoFactor
const TITLE = 'Two-factor authentication'
const EMPTY: FormState = { values: {} }
const password = z.object({ current_password: currentPassword })
const firstCode = z.object({ code: requiredText('Enter the code from your authenticator app', 40) })

const setup = ({ secret, url, sealed }: { secret: string; url: string; sealed: string }, form: FormState) => (
  <TwoFactorSetup
    secret={secret}
    sealed={sealed}
    qrCode={`data:image/svg+xml,${encodeURIComponent(renderSVG(url, { border: 2 }))}`}
    form={form}
  />
)

export const twoFactorPages = (ctx: AppContext) => {
  const screen = async (session: Session, form: FormState) => {
    const [recoveryCodeCount, passkeys] = await Promise.all([
      countRecoveryCodes(ctx.db, session.user.id),
      listPasskeys(ctx.db, session.user.id),
    ])
    if (recoveryCodeCount === null) return <TwoFactorOff form={form} />
    return (
      <TwoFactorOn
        recoveryCodeCount={recoveryCodeCount}
        passkeys={passkeys}
        timeZone={ctx.clock.timeZone}
        form={form}
      />
    )
  }
  return (
    new Elysia({ detail: about({ isSensitive: true, isOpenWhileFactorDue: true }) })
      .use(signedInPages(ctx))
      .get(show, async ({ session, page }) => page(TITLE, await screen(session, EMPTY)), {
        detail: about({ summary: 'Two-factor authentication' }),
      })
      // Render the page instead of redirecting, because the secret and the recovery codes must not be part of a
      // redirect.
      .post(
        begin,
        async ({ form, session, write, page }) => {
          const { value, refusal } = await attempt(async () =>
            beginSecondFactor(ctx, write, session, accept(password, form).current_password),
          )
          if (refusal) return page(TITLE, await screen(session, { values: {}, refusal }), refusal.status)
          return page(TITLE, setup(value, EMPTY))
        },
        { detail: about({ summary: 'Start setting up two-factor authentication' }) },
      )
      .post(
        confirm,
        async ({ form, session, write, page, tokens, request, server }) => {
          const { value, refusal } = await attempt(async () =>
            // Renew the session, but do not extend the time in which sensitive changes are allowed, because entering a
            // code does not confirm the password.
            confirmSecondFactor(ctx, write, session, accept(firstCode, form).code, (db, sessionId) =>
              renewSession(db, sessionId, visitorOf(ctx, { request, server }), ctx.clock.now(), { isDeleted: true }),
            ),
          )
          if (!refusal) {
            const answer = await page('Recovery codes', <RecoveryCodes codes={value.recovery_codes} />)
            const token = value.renewed && (await tokenFor(tokens, value.renewed, signInOf(session)))
            if (token) answer.headers.append('set-cookie', sessionSetCookie(ctx, request, token))
            return answer
          }
          const pending = await attempt(() => pendingSecondFactor(ctx, session, form.setup))
          if (pending.refusal)
            return page(TITLE, await screen(session, { values: {}, refusal: pending.refusal }), pending.refusal.status)
          return page(TITLE, setup(pending.value, { values: {}, refusal }), refusal.status)
        },
        { detail: about({ summary: 'Turn two-factor authentication on' }) },
      )
      .post(
        remove,
        async ({ form, session, write, page, redirect }) => {
          const { refusal } = await attempt(async () =>
            removeOwnSecondFactor(ctx, write, session, accept(password, form).current_password),
          )
          if (refusal) return page(TITLE, await screen(session, { values: {}, refusal }), refusal.status)
          return redirect(show, 'Two-factor authentication is off')
        },
        { detail: about({ summary: 'Turn two-factor authentication off' }) },
      )
      .post(
        removeOne.pattern,
        async ({ params, session, write, redirect }) => {
          const { refusal } = await attempt(() => removePasskey(ctx, write, session, params.id, undefined))
          if (!refusal) return redirect(show, 'Passkey removed')
          const isUnconfirmed = refusal.errors?.some(({ field }) => field === 'current_password')
          const next = isUnconfirmed ? withQuery(paths.confirmPassword, { next: show }) : show
          return redirect(next, failed(refusal.message))
        },
        { params: idParams, detail: about({ summary: 'Remove a passkey' }) },
      )
  )
}
