import { Elysia } from 'elysia'
import { isFollowed } from '../../../views/ui/form'
import type { FormState } from '../../../views/ui/form-state'
import { ResetPasswordForm, TemporaryPassword, UserForm } from '../../../views/users/form'
import { UserListRow, UsersPage } from '../../../views/users/index-page'
import { accept, acceptForm, acceptLeniently, checkAll } from '../../platform/accept'
import type { Account } from '../../platform/auth/account-columns'
import { signedInPages } from '../../platform/auth/guard'
import { listAccess } from '../../platform/auth/session-list'
import type { Session } from '../../platform/auth/sessions'
import type { AppContext } from '../../platform/context'
import { idParams, versionOnly } from '../../platform/fields'
import { about } from '../../platform/http/about'
import { metaOf } from '../../platform/http/answers'
import { failed } from '../../platform/http/message'
import { attempt, type pageFor } from '../../platform/http/page'
import { paths, withQuery } from '../../platform/paths'
import type { Write } from '../../platform/records/transactions'
import { Refused } from '../../platform/refusals'
import { checkNewUser, createUser, findUser, listUsers, resetPassword, updateUser } from './queries'
import { account, passwordReset, userChange, userFilters } from './rules'
import { sessionPages } from './session-pages'
import { orTemporary } from './temporary-password'

const { list, create, edit, activate, deactivate, resetPassword: reset } = paths.users

const NO_ACCESS = { sessions: 0, hasSecondFactor: false }

type Typed = Record<string, unknown>

type RouteContext = {
  params: { id: number }
  query: Record<string, unknown>
  form: Typed
  write: Write
  user: { username: string }
  session: Session
  back: (fallback: string) => string
  inRow: ReturnType<typeof pageFor>['inRow']
  redirect: ReturnType<typeof pageFor>['redirect']
}

function checkRepeated({ newPassword, confirmPassword }: Typed) {
  if (newPassword !== confirmPassword) throw Refused.field('confirmPassword', 'Passwords do not match')
}

/**
 * Reads the form that resets a password. The administrator either enters a new password twice or requests a generated
 * one.
 * @throws Refused when a password field is empty, or the two passwords differ
 */
async function typedPassword(form: Typed) {
  if (!form.newPassword && !form.confirmPassword && form.temporary_password === 'true')
    return accept(passwordReset, form)
  const blank = ['newPassword', 'confirmPassword'].filter((field) => !form[field])
  if (blank.length > 0) throw new Refused(blank.map((field) => ({ field, message: 'Both fields are required' })))
  const [values] = await checkAll(
    () => accept(passwordReset, form),
    () => checkRepeated(form),
  )
  return values
}

/**
 * Asks for a typed password again, because a rejected form never contains it. Otherwise, the blank field would mean a
 * generated password.
 */
function withPasswordAgain(form: FormState): FormState {
  const { refusal, values } = form
  if (!refusal || !values.password) return form
  const errors = refusal.errors ?? []
  const again = errors.some(({ field }) => field === 'password')
    ? []
    : [{ field: 'password', message: 'Enter the password again' }]
  return {
    ...form,
    values: { ...values, temporary_password: false },
    refusal: { ...refusal, errors: [...errors, ...again] },
  }
}

export const usersPages = (ctx: AppContext) => {
  const { db, clock } = ctx
  const hasSingleSignOn = ctx.config.oidc !== null
  const newForm = (form: FormState) => (
    <UserForm isNew isSelf={false} action={create} form={withPasswordAgain(form)} hasSingleSignOn={hasSingleSignOn} />
  )
  const editForm = (id: number, own: number, form: FormState) => (
    <UserForm isNew={false} isSelf={id === own} action={edit(id)} form={form} hasSingleSignOn={hasSingleSignOn} />
  )
  const resetForm = async (id: number, form: FormState) => (
    <ResetPasswordForm username={(await findUser(db, id)).username} action={reset(id)} form={form} />
  )
  const withSignIns = async (accounts: Account[]) => {
    const ids = accounts.map(({ id }) => id)
    const access = await listAccess(db, ids, clock.now())
    return accounts.map((account) => ({ ...account, ...(access.get(account.id) ?? NO_ACCESS) }))
  }
  const turn = async (
    { params: { id }, query, form, write, user, session, back, inRow, redirect }: RouteContext,
    is_active: boolean,
  ) => {
    const { value, refusal } = await attempt(async () => {
      const input = accept(versionOnly, { ...query, ...form })
      return updateUser(ctx, write, session, id, { version: input?.version, is_active })
    })
    if (refusal?.errors?.some(({ field }) => field === 'current_password'))
      return redirect(withQuery(paths.confirmPassword, { next: back(list) }))
    const message = refusal
      ? failed(refusal.message || 'Failed to update user')
      : { text: is_active ? 'User activated' : 'User deactivated' }
    const undo = value ? { undo: withQuery(is_active ? deactivate(id) : activate(id), { version: value.version }) } : {}
    const row = async () => {
      const [listRow] = await withSignIns([await findUser(db, id)])
      return <UserListRow row={listRow!} self={user.username} timeZone={clock.timeZone} />
    }
    return inRow(back(list), row, { ...message, row: id, ...undo })
  }
  return new Elysia({ detail: about({ role: 'admin' }) })
    .use(signedInPages(ctx))
    .get(
      list,
      async ({ query, page, user }) => {
        const filters = acceptLeniently(userFilters, query)
        const { rows, total } = await listUsers(db, filters)
        return page(
          'Manage Users',
          <UsersPage
            rows={await withSignIns(rows)}
            query={filters}
            meta={metaOf(filters, total)}
            self={user.username}
            timeZone={clock.timeZone}
          />,
        )
      },
      { detail: about({ summary: 'Manage Users', failure: 'Failed to fetch users' }) },
    )
    .get(
      create,
      ({ page, back }) =>
        page(
          'Add user',
          newForm({
            values: { role: 'user', is_active: true, must_change_password: true, temporary_password: true },
            back: back(list),
          }),
        ),
      { detail: about({ summary: 'Add a user' }) },
    )
    .post(
      create,
      ({ form, write, session, page, redirect, back, submit }) =>
        submit({
          title: 'Add user',
          show: newForm,
          async save() {
            const input = orTemporary('password')(form)
            const values = await acceptForm(account, input, (values) => checkNewUser(ctx, session, values))
            return createUser(ctx, write, session, values)
          },
          done({ id, username, temporary_password }) {
            const message = 'User created successfully'
            if (temporary_password === undefined)
              return redirect(isFollowed(form) ? create : back(list), { text: message, made: id })
            return page(
              'Temporary password',
              <TemporaryPassword
                title="Temporary password"
                message={`${message}.`}
                username={username}
                password={temporary_password}
                another={isFollowed(form) ? create : undefined}
              />,
            )
          },
        }),
      { detail: about({ summary: 'Create a user' }) },
    )
    .get(
      edit.pattern,
      async ({ params, page, user, back }) =>
        page('Edit user', editForm(params.id, user.id, { values: await findUser(db, params.id), back: back(list) })),
      { detail: about({ summary: 'Edit a user' }), params: idParams },
    )
    .post(
      edit.pattern,
      async ({ params, form, write, session, redirect, user, back, submit }) => {
        const { username } = await findUser(db, params.id)
        return submit({
          values: { ...form, username },
          title: 'Edit user',
          show: (form) => editForm(params.id, user.id, form),
          save: async () => updateUser(ctx, write, session, params.id, accept(userChange, form)),
          done: ({ id }) => redirect(back(list), { text: 'User updated successfully', row: id }),
        })
      },
      { detail: about({ summary: 'Save a user' }), params: idParams },
    )
    .get(
      reset.pattern,
      async ({ params, page, back }) =>
        page(
          'Reset password',
          await resetForm(params.id, {
            values: { must_change_password: true },
            back: back(list),
          }),
        ),
      { detail: about({ summary: 'Reset a password' }), params: idParams },
    )
    .post(
      reset.pattern,
      async ({ params, form, write, session, page, redirect, back, submit }) => {
        const { username } = await findUser(db, params.id)
        return submit({
          title: 'Reset password',
          show: (form) => resetForm(params.id, form),
          save: async () => resetPassword(ctx, write, session, params.id, await typedPassword(form)),
          done({ temporary_password: password }) {
            const message = 'Password reset successfully'
            if (password === undefined) return redirect(back(list), { text: message, row: params.id })
            const title = 'Temporary password'
            return page(title, <TemporaryPassword {...{ title, username, password }} message={`${message}.`} />)
          },
        })
      },
      { params: idParams, detail: about({ summary: 'Set a new password', failure: 'Failed to reset password' }) },
    )
    .use(sessionPages(ctx))
    .post(activate.pattern, (at) => turn(at, true), {
      params: idParams,
      detail: about({ summary: 'Activate a user', failure: 'Failed to update user' }),
    })
    .post(deactivate.pattern, (at) => turn(at, false), {
      params: idParams,
      detail: about({ summary: 'Deactivate a user', failure: 'Failed to update user' }),
    })
}
