import { users } from '../../../db/schema'

/** Columns of an account that the API can return. They never include `password_hash`. */
export const accountColumns = {
  id: users.id,
  username: users.username,
  role: users.role,
  first_name: users.first_name,
  last_name: users.last_name,
  email: users.email,
  phone: users.phone,
  is_active: users.is_active,
  must_change_password: users.must_change_password,
  password_expires_at: users.password_expires_at,
  single_sign_on: users.single_sign_on,
  wants_due_mail: users.wants_due_mail,
  last_login: users.last_login,
  created_at: users.created_at,
  created_by: users.created_by,
  updated_at: users.updated_at,
  updated_by: users.updated_by,
  version: users.version,
}

export type Account = Omit<typeof users.$inferSelect, 'password_hash' | 'previous_login' | 'due_mailed_on'>

export function withoutSecrets({
  password_hash: _hash,
  previous_login: _previous,
  due_mailed_on: _mailed,
  ...account
}: typeof users.$inferSelect): Account {
  return account
}
