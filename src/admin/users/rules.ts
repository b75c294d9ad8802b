import { z } from 'zod'
import { ROLES } from '../../../db/vocabulary'
import { newPassword } from '../../auth/rules'
import { changeOf, choiceOr, optionalChoice, optionalEmail, optionalText, requiredText, yesNo } from '../../fields'
import { listQuery } from '../../list-query'
import { Refused } from '../../refusals'
import { activeFilter } from '../filters'
import { orTemporary } from './temporary-password'

const USERNAME_LENGTH = 'Username must be 3 to 50 characters'

const editable = {
  role: choiceOr(ROLES, 'user'),
  first_name: optionalText(50),
  last_name: optionalText(50),
  email: optionalEmail(100),
  phone: optionalText(20),
  is_active: yesNo(true),
  must_change_password: yesNo(false),
}

const temporary_password = yesNo(false)

export const account = z.object({
  username: requiredText('Username is required', 50, 3, USERNAME_LENGTH),
  password: newPassword,
  temporary_password,
  ...editable,
})
export const newUser = z.preprocess(orTemporary('password'), account)

/** A change of an account; its username and password are not changed this way, and are ignored when sent. */
export const userChange = changeOf(z.object(editable))

export const passwordReset = z.preprocess(
  orTemporary('newPassword'),
  z.object({ newPassword, temporary_password, must_change_password: yesNo(false) }),
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

/** What nobody may do to their own account. @throws Refused naming the field */
export function checkOwnAccount(by: string | null, stored: Account, change: Partial<Account>) {
  if (stored.username !== by) return
  if (change.is_active === false) throw Refused.field('is_active', OWN_DEACTIVATION)
  if (change.role !== undefined && change.role !== stored.role) throw Refused.field('role', OWN_ROLE)
}
