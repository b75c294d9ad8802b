import { z } from 'zod'
import { ROLES } from '../../../db/vocabulary'
import { currentPassword } from '../../platform/auth/confirmation'
import { newPassword } from '../../platform/auth/rules'
import { newUsername } from '../../platform/auth/usernames'
import { changeOf, choiceOr, optionalChoice, optionalEmail, optionalText, yesNo } from '../../platform/fields'
import { activeFilter } from '../../platform/lists/active-filter'
import { listQuery } from '../../platform/lists/list-query'
import { Refused } from '../../platform/refusals'
import { orTemporary } from './temporary-password'

const editable = {
  role: choiceOr(ROLES, 'user'),
  first_name: optionalText(50),
  last_name: optionalText(50),
  email: optionalEmail(100),
  phone: optionalText(20),
  is_active: yesNo(true),
  must_change_password: yesNo(false),
  single_sign_on: yesNo(false),
}

const temporary_password = yesNo(false)

export const account = z.object({
  username: newUsername,
  password: newPassword,
  temporary_password,
  ...editable,
  current_password: currentPassword,
})
export const newUser = z.preprocess(orTemporary('password'), account)

/** A username or password in the request is ignored. */
export const userChange = changeOf(z.object({ ...editable, current_password: currentPassword }))

export const passwordReset = z.preprocess(
  orTemporary('newPassword'),
  z.object({ newPassword, temporary_password, current_password: currentPassword, must_change_password: yesNo(false) }),
)

export const userFilters = listQuery(
  ['username', 'first_name', 'last_name', 'role', 'last_login', 'created_at'],
  'username',
).extend({
  role: optionalChoice(ROLES),
  is_active: activeFilter,
})

export const OWN_DEACTIVATION = 'You cannot deactivate your own account'
export const OWN_ROLE = 'You cannot change your own role'

type Account = { username: string; role: string; is_active: boolean }

/** @throws Refused when users deactivate themselves or change their own role */
export function checkOwnAccount(by: string | null, stored: Account, change: Partial<Account>) {
  if (stored.username !== by) return
  if (change.is_active === false) throw Refused.field('is_active', OWN_DEACTIVATION)
  if (change.role !== undefined && change.role !== stored.role) throw Refused.field('role', OWN_ROLE)
}
