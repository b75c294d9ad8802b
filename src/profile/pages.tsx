import { Elysia } from 'elysia'
import { AccessPage } from '../../views/profile/access-page'
import { ProfilePage } from '../../views/profile/profile-page'
import type { FormState } from '../../views/ui/form-state'
import { accept } from '../accept'
import { changeProfile, findAccount } from '../auth/accounts'
import { signedInPages } from '../auth/guard'
import { passwordChange, profile } from '../auth/rules'
import { endSessionCalled, listSessions } from '../auth/session-list'
import { endSessionsOf, type Session } from '../auth/sessions'
import { changePassword } from '../auth/sign-in'
import { newToken } from '../auth/token-rules'
import { createToken, listTokens, revokeToken } from '../auth/tokens'
import type { AppContext } from '../context'
import { changeOf, idParams } from '../fields'
import { about } from '../http/about'
import { attempt } from '../http/page'
import { paths } from '../paths'
import { isDone, Refused, SignedOut } from '../refusals'

const profileChange = changeOf(profile)
const NEW_TOKEN: FormState = { values: { scope: 'read', days: 90 } }

/** The form asks twice. @throws Refused when the two differ or either rule is broken */
function typedChange(form: Record<string, unknown>) {
  if (form.currentPassword && form.newPassword !== form.confirmPassword)
    throw Refused.field('confirmPassword', 'New passwords do not match')
  return accept(passwordChange, form)
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
    made?: { name: string; token: string },
  ) => {
    const id = session.user.id
    const [sessions, tokens] = await Promise.all([listSessions(db, id, session.id, clock.now()), listTokens(db, id)])
    return (
      <AccessPage
        sessions={sessions}
        tokens={tokens}
        made={made}
        now={clock.now()}
        form={form}
        timeZone={clock.timeZone}
      />
    )
  }
  return (
    new Elysia()
      .use(signedInPages(ctx))
      .get(paths.profile, async ({ user, page }) => page('Profile', await screen(user.id, 'info')), {
        detail: about({ summary: 'Profile', isOpenWhileDue: true }),
      })
      .post(
        paths.profile,
        ({ form, user, actor, submit, redirect }) =>
          submit({
            title: 'Profile',
            show: (state) => screen(user.id, 'info', state),
            async save() {
              const { version, ...change } = accept(profileChange, form)
              return changeProfile(db, actor, user.id, version, change)
            },
            done: () => redirect(paths.profile, 'Profile updated successfully!'),
          }),
        {
          detail: about({
            summary: 'Save one’s own profile',
            failure: 'Failed to update profile',
            isOpenWhileDue: true,
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
        async ({ params, session, redirect }) => {
          const isEnded = await isDone(endSessionCalled(db, session.user.id, params.key))
          return redirect(paths.profileAccess, isEnded ? 'The session was ended' : 'The session had ended already')
        },
        { detail: about({ summary: 'End one of one’s sessions' }) },
      )
      .post(
        paths.endOtherSessions,
        async ({ session, redirect }) => {
          await endSessionsOf(db, session.user.id, session.id)
          return redirect(paths.profileAccess, 'Every other session was ended')
        },
        { detail: about({ summary: 'End one’s other sessions' }) },
      )
      // Answered with the page itself: the token is shown once, so it must not travel through a redirect.
      .post(
        paths.createToken,
        async ({ form, session, actor, page }) => {
          const { value, refusal } = await attempt(async () => createToken(db, actor, session, accept(newToken, form)))
          const state = refusal ? { values: form, refusal } : NEW_TOKEN
          return page('Sessions and API tokens', await accessScreen(session, state, value), refusal?.status)
        },
        { detail: about({ summary: 'Make an API token' }) },
      )
      .post(
        paths.revokeToken.pattern,
        async ({ params, session, actor, redirect }) => {
          const isRevoked = await isDone(revokeToken(db, actor, session.user.id, params.id))
          return redirect(paths.profileAccess, isRevoked ? 'The token was revoked' : 'The token was revoked already')
        },
        { detail: about({ summary: 'Revoke an API token' }), params: idParams },
      )
      .get(
        paths.profilePassword,
        async ({ user, page }) => page('Change Password', await screen(user.id, 'password', { values: {} })),
        {
          detail: about({ summary: 'Change Password', isOpenWhileDue: true }),
        },
      )
      .post(
        paths.profilePassword,
        async ({ form, user, session, actor, page, redirect }) => {
          const { refusal } = await attempt(async () => {
            await changePassword(ctx, actor, session, typedChange(form))
          })
          if (!refusal) return redirect(paths.profilePassword, 'Password changed successfully!')
          return page('Change Password', await screen(user.id, 'password', { values: {}, refusal }), refusal.status)
        },
        {
          detail: about({
            summary: 'Change one’s own password',
            failure: 'Failed to change password',
            isOpenWhileDue: true,
          }),
        },
      )
  )
}
