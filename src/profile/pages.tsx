import { Elysia } from 'elysia'
import { ProfilePage } from '../../views/profile/profile-page'
import type { FormState } from '../../views/ui/form'
import { signedInPages } from '../auth/guard'
import type { SignInLimits } from '../auth/limits'
import { changeOwnPassword, changeProfile, findAccount } from '../auth/queries'
import { passwordChange, profile } from '../auth/rules'
import { accept, changeOf } from '../fields'
import { changedSince } from '../http/changed-since'
import { attempt } from '../http/page'
import type { Office } from '../office'
import { paths } from '../paths'
import { Refused, SignedOut, Stale } from '../refusals'

const profileChange = changeOf(profile)

/** The form asks twice. @throws Refused when the two differ or either rule is broken */
function typedChange(typed: Record<string, unknown>) {
  if (typed.currentPassword && typed.newPassword !== typed.confirmPassword) throw Refused.field('confirmPassword', 'New passwords do not match')
  return accept(passwordChange, typed)
}

export const profilePages = (office: Office, limits: SignInLimits) => {
  const { db, clock } = office
  const screen = async (id: number, tab: 'info' | 'password', form?: FormState) => {
    const account = await findAccount(db, id)
    if (!account) throw new SignedOut()
    return <ProfilePage tab={tab} account={account} form={form ?? { values: account }} timeZone={clock.timeZone} />
  }
  return new Elysia()
    .use(signedInPages(office))
    .get(paths.profile, async ({ clerk, page }) => page('Profile', await screen(clerk.id, 'info')))
    .post(paths.profile, async ({ typed, clerk, actor, page, leave }) => {
      const { refusal } = await attempt(async () => {
        const { version, ...change } = accept(profileChange, typed)
        return changeProfile(db, actor, clerk.id, version, change)
      })
      if (!refusal) return leave(paths.profile, 'Profile updated successfully!')
      const form = { values: typed, refusal, ...(refusal instanceof Stale ? changedSince(refusal.current, typed) : {}) }
      return page('Profile', await screen(clerk.id, 'info', form), refusal.status)
    })
    .get(paths.profilePassword, async ({ clerk, page }) => page('Change Password', await screen(clerk.id, 'password', { values: {} })))
    .post(paths.profilePassword, async ({ typed, clerk, session, actor, page, leave }) => {
      const { refusal } = await attempt(async () => {
        const change = typedChange(typed)
        await limits.countOwn(clerk.username)
        await changeOwnPassword(db, actor, session, change)
        await limits.ownSucceeded(clerk.username)
      })
      if (!refusal) return leave(paths.profilePassword, 'Password changed successfully!')
      return page('Change Password', await screen(clerk.id, 'password', { values: {}, refusal }), refusal.status)
    })
}
