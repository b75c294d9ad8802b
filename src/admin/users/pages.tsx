import { Elysia } from 'elysia'
import { ResetPasswordForm, UserForm } from '../../../views/admin/users/form'
import { UsersPage } from '../../../views/admin/users/index-page'
import { signedInPages } from '../../auth/guard'
import { accept, acceptLeniently, idParams } from '../../fields'
import { metaOf } from '../../http/answers'
import { changedSince } from '../../http/changed-since'
import { attempt } from '../../http/page'
import { backTo } from '../../http/request'
import type { Office } from '../../office'
import { paths } from '../../paths'
import { Refused, Stale } from '../../refusals'
import { createUser, findUser, listUsers, resetPassword, updateUser } from './queries'
import { newUser, passwordReset, userChange, userFilters } from './rules'

const { list, create, edit, resetPassword: reset } = paths.users

type Typed = Record<string, unknown>

/** The reset form asks twice. @throws Refused when a field is empty or the two differ */
function typedPassword(typed: Typed) {
  for (const field of ['newPassword', 'confirmPassword']) {
    if (!typed[field]) throw Refused.field(field, 'Both fields are required')
  }
  if (typed.newPassword !== typed.confirmPassword) throw Refused.field('confirmPassword', 'Passwords do not match')
  return accept(passwordReset, typed)
}

export const usersPages = (office: Office) => {
  const { db, clock } = office
  return new Elysia()
    .use(signedInPages(office, 'admin'))
    .get(list, async ({ query, page, clerk }) => {
      const asked = acceptLeniently(userFilters, query)
      const { rows, total } = await listUsers(db, asked)
      return page('Manage Users', <UsersPage rows={rows} query={asked} meta={metaOf(asked, total)} self={clerk.username} timeZone={clock.timeZone} />)
    })
    .get(create, ({ page }) =>
      page('Add user', <UserForm isNew isSelf={false} action={create} form={{ values: { role: 'user', is_active: true, must_change_password: true } }} />),
    )
    .post(create, async ({ typed, actor, page, leave }) => {
      const { refusal } = await attempt(async () => createUser(db, actor, accept(newUser, typed)))
      if (!refusal) return leave(list, 'User created successfully')
      return page('Add user', <UserForm isNew isSelf={false} action={create} form={{ values: typed, refusal }} />, refusal.status)
    })
    .get(
      `${list}/:id/edit`,
      async ({ params, page, clerk }) =>
        page('Edit user', <UserForm isNew={false} isSelf={params.id === clerk.id} action={edit(params.id)} form={{ values: await findUser(db, params.id) }} />),
      { params: idParams },
    )
    .post(
      `${list}/:id/edit`,
      async ({ params, typed, actor, page, leave, clerk }) => {
        const { refusal } = await attempt(async () => {
          const { version, ...change } = accept(userChange, typed)
          return updateUser(db, actor, params.id, version, change)
        })
        if (!refusal) return leave(list, 'User updated successfully')
        const { username } = await findUser(db, params.id)
        const form = { refusal, values: { ...typed, username }, ...(refusal instanceof Stale ? changedSince(refusal.current, typed) : {}) }
        return page(
          'Edit user',
          <UserForm isNew={false} isSelf={params.id === clerk.id} action={edit(params.id)} form={{ ...form, values: { ...form.values, username } }} />,
          refusal.status,
        )
      },
      { params: idParams },
    )
    .get(
      `${list}/:id/reset-password`,
      async ({ params, page }) => {
        const { username } = await findUser(db, params.id)
        return page('Reset password', <ResetPasswordForm username={username} action={reset(params.id)} form={{ values: { must_change_password: true } }} />)
      },
      { params: idParams },
    )
    .post(
      `${list}/:id/reset-password`,
      async ({ params, typed, actor, page, leave }) => {
        const { username } = await findUser(db, params.id)
        const { refusal } = await attempt(async () => resetPassword(db, actor, params.id, typedPassword(typed)))
        if (!refusal) return leave(list, 'Password reset successfully')
        return page('Reset password', <ResetPasswordForm username={username} action={reset(params.id)} form={{ values: typed, refusal }} />, refusal.status)
      },
      { params: idParams },
    )
    .post(
      `${list}/:id/activate`,
      async ({ params, actor, request, leave }) => {
        const { refusal } = await attempt(() => updateUser(db, actor, params.id, undefined, { is_active: true }))
        return leave(backTo(request, list), refusal ? `!${refusal.message || 'Failed to update user'}` : 'User activated')
      },
      { params: idParams },
    )
    .post(
      `${list}/:id/deactivate`,
      async ({ params, actor, request, leave }) => {
        const { refusal } = await attempt(() => updateUser(db, actor, params.id, undefined, { is_active: false }))
        return leave(backTo(request, list), refusal ? `!${refusal.message || 'Failed to update user'}` : 'User deactivated')
      },
      { params: idParams },
    )
}
