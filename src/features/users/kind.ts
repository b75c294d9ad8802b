import { users } from '../../../db/schema'
import { paths } from '../../platform/paths'
import type { RecordKind } from '../../platform/records/kind'

export const userKind: RecordKind = {
  table: users,
  noun: 'user',
  many: 'users',
  calledBy: users.username,
  page: ({ id }) => paths.users.edit(id),
  events: 'administrators',
}
