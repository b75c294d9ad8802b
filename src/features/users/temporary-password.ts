import { randomPassword } from '../../platform/auth/passwords'
import { yesNo } from '../../platform/fields'

const isSet = (value: unknown) => yesNo(false).safeParse(value).data === true
const isBlank = (value: unknown) => value === undefined || value === null || value === ''

/**
 * Generates a temporary password if the request asks for one. The request must contain `temporary_password` and an
 * empty `field`. The user must change the password at the next sign-in.
 * If `field` already contains a password, `temporary_password` is set to false.
 */
export const orTemporary =
  (field: string) =>
  <Body>(body: Body): Body => {
    if (typeof body !== 'object' || body === null) return body
    const values = body as Record<string, unknown>
    if (!isSet(values.temporary_password)) return body
    if (!isBlank(values[field])) return { ...body, temporary_password: false }
    return { ...body, [field]: randomPassword(), temporary_password: true, must_change_password: true }
  }
