import { randomPassword } from '../../platform/auth/passwords'
import { yesNo } from '../../platform/fields'

const isSet = (value: unknown) => yesNo(false).safeParse(value).data === true
const isBlank = (value: unknown) => value === undefined || value === null || value === ''

/**
 * Prepares a body whose password stands in `field`: where `temporary_password` asks for one and none is typed, it is
 * made here, and has to be changed at the next sign-in. What comes out says whether that was so.
 */
export const orTemporary = (field: string) => (body: unknown) => {
  if (typeof body !== 'object' || body === null) return body
  const values = body as Record<string, unknown>
  if (!isSet(values.temporary_password)) return body
  if (!isBlank(values[field])) return { ...values, temporary_password: false }
  return { ...values, [field]: randomPassword(), temporary_password: true, must_change_password: true }
}
