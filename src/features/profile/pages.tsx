import { Elysia } from 'elysia'
import { z } from 'zod'
import { AccessPage } from '../../../views/profile/access-page'
import { ConfirmPage } from '../../../views/profile/confirm-page'
import { ProfilePage } from '../../../views/profile/profile-page'
import type { FormState } from '../../../views/ui/form-state'
import { accept, checkAll } from '../../platform/accept'
import { findAccount } from '../../platform/auth/accounts'
import { currentPassword } from '../../platform/auth/confirmation'
import { signedInPages } from '../../platform/auth/guard'
import { changePassword, confirmPassword } from '../../platform/auth/own-password'
import { updateProfile } from '../../platform/auth/profile'
import { passwordChange, profileChange } from '../../platform/auth/rules'
import { endOtherSessions, endOwnSession, listSessions } from '../../platform/auth/session-list'
import { sessionSetCookie, tokenFor } from '../../platform/auth/session-tokens'
import { type Session, signInOf } from '../../platform/auth/sessions'
import { listSignIns } from '../../platform/auth/sign-in-log'
import { newToken } from '../../platform/auth/token-rules'
import { createToken, listTokens, revokeToken } from '../../platform/auth/tokens'
import type { AppContext } from '../../platform/context'
import { idParams, yesNo } from '../../platform/fields'
import { about } from '../../platform/http/about'
import { attempt } from '../../platform/http/page'
import { isOwnPath, paths, withQuery } from '../../platform/paths'
import { isDone, Refused, SignedOut } from '../../platform/refusals'

const NEW_TOKEN: FormState = { values: { scope: 'read', days: 90 } }
const NEW_PASSWORD: FormState = { values: { revoke_tokens: true } }
const passwordConfirmation = z.object({ current_password: currentPassword })
const endingOthers = z.object({ revoke_tokens: yesNo(false) })
const CONFIRM_FOR_ACCESS = withQuery(paths.confirmPassword, { next: paths.profileAccess })

/** @throws Refused when the two new passwords differ or the new password breaks a rule */
async function typedChange(form: Record<string, unknown>) {
  const [values] = await checkAll(
    () => accept(passwordChange, form),
    () => {
      if (form.currentPassword && form.newPassword !== form.confirmPassword)
        throw Refused.field('confirmPassword', 'New passwords do not match')
    },
  )
  return values
}

export const profilePages = (ctx: AppContext) => {
  const { db, clock } = ctx
  const screen = async (id: number, tab: 'info' | 'password', form?: FormState) => {
    const account = await findAccount(db, id)
    if (!account) throw new SignedOut()
    return <ProfilePage tab={tab} account={account} form={form ?? { values: account }} timeZone={clock.timeZone} />
  }
  const accessScreen = async (
    session: Session,
    form: FormState = NEW_TOKEN,
    createdToken?: { name: string; token: string },
  ) => {
    const id = session.user.id
    const [sessions, tokens, signIns] = await Promise.all([
      listSessions(db, id, session, clock.now()),
      listTokens(db, id),
      listSignIns(db, id),
    ])
    return (
      <AccessPage
        sessions={sessions}
        signIns={signIns}
        tokens={tokens}
        newToken={createdToken}
        now={clock.now()}
        form={form}
        timeZone={clock.timeZone}
      />
    )
  }
  return (
    new Elysia({ detail: about({ isSensitive: true }) })
      .use(signedInPages(ctx))
      .get(paths.profile, async ({ user, page }) => page('Profile', await screen(user.id, 'info')), {
        detail: about({ summary: 'Profile', isOpenWhileDue: true }),
      })
      .post(
        paths.profile,
        ({ form, user, session, write, submit, redirect }) =>
          submit({
            title: 'Profile',
            show: (state) => screen(user.id, 'info', state),
            save: async () => updateProfile(ctx, write, session, accept(profileChange, form)),
            done: () => redirect(paths.profile, 'Profile updated successfully!'),
          }),
        {
          detail: about({
            summary: 'Save your own profile',
            failure: 'Failed to update profile',
          }),
        },
      )
      .get(
        paths.profileAccess,
        async ({ session, page }) => page('Sessions and API tokens', await accessScreen(session)),
        { detail: about({ summary: 'Sessions and API tokens' }) },
      )
      .post(
        paths.endSession.pattern,
        async ({ params, session, write, redirect }) => {
          const { value: isEnded, refusal } = await attempt(() =>
            isDone(endOwnSession(ctx, write, session, params.key)),
          )
          if (refusal) return redirect(CONFIRM_FOR_ACCESS)
          return redirect(paths.profileAccess, isEnded ? 'Session ended' : 'The session had already ended')
        },
        { detail: about({ summary: 'End one of your sessions' }) },
      )
      .post(
        paths.endOtherSessions,
        async ({ form, session, write, redirect }) => {
          const { refusal } = await attempt(() => endOtherSessions(ctx, write, session, accept(endingOthers, form)))
          if (refusal) return redirect(CONFIRM_FOR_ACCESS)
          return redirect(paths.profileAccess, 'All other sessions ended')
        },
        { detail: about({ summary: 'End your other sessions' }) },
      )
      // Show the token in this response. A page after a redirect could not show it, because only its hash is stored.
      .post(
        paths.createToken,
        async ({ form, session, write, page }) => {
          const { value, refusal } = await attempt(async () => createToken(ctx, write, session, accept(newToken, form)))
          const state = refusal ? { values: form, refusal } : NEW_TOKEN
          return page('Sessions and API tokens', await accessScreen(session, state, value), refusal?.status)
        },
        { detail: about({ summary: 'Create an API token' }) },
      )
      .post(
        paths.revokeToken.pattern,
        async ({ params, session, write, redirect }) => {
          const isRevoked = await isDone(revokeToken(write, session.user.id, params.id))
          return redirect(paths.profileAccess, isRevoked ? 'Token revoked' : 'The token was already revoked')
        },
        { detail: about({ summary: 'Revoke an API token' }), params: idParams },
      )
      .get(
        paths.confirmPassword,
        ({ query, page }) => page('Confirm your password', <ConfirmPage form={{ values: { next: query.next } }} />),
        { detail: about({ summary: 'Confirm your password', isOpenWhileFactorDue: true }) },
      )
      .post(
        paths.confirmPassword,
        ({ form, session, submit, redirect, tokens, request, server }) =>
          submit({
            title: 'Confirm your password',
            show: (state) => <ConfirmPage form={state} />,
            save: () => {
              const { current_password } = accept(passwordConfirmation, form)
              return confirmPassword(ctx, tokens, session, current_password, { request, server })
            },
            done(token) {
              const next = typeof form.next === 'string' && isOwnPath(form.next) ? form.next : paths.profileAccess
              const answer = redirect(next, 'Password confirmed. You can now make the change.')
              answer.headers.append('set-cookie', sessionSetCookie(ctx, request, token))
              return answer
            },
          }),
        { detail: about({ summary: 'Confirm your password', isOpenWhileFactorDue: true }) },
      )
      .get(
        paths.profilePassword,
        async ({ user, page }) => page('Change Password', await screen(user.id, 'password', NEW_PASSWORD)),
        {
          detail: about({ summary: 'Change Password', isOpenWhileDue: true }),
        },
      )
      .post(
        paths.profilePassword,
        async ({ form, user, session, write, page, redirect, tokens, request, server }) => {
          const { value, refusal } = await attempt(async () => {
            const id = await changePassword(ctx, write, session, await typedChange(form), { request, server })
            return tokenFor(tokens, id, signInOf(session))
          })
          if (!refusal) {
            const answer = redirect(paths.profilePassword, 'Password changed successfully!')
            answer.headers.append('set-cookie', sessionSetCookie(ctx, request, value))
            return answer
          }
          return page(
            'Change Password',
            await screen(user.id, 'password', { ...NEW_PASSWORD, refusal }),
            refusal.status,
          )
        },
        {
          detail: about({
            summary: 'Change your password',
            failure: 'Failed to change password',
            isOpenWhileDue: true,
          }),
        },
      )
  )
}
