import type { DueItem } from '../../src/features/due/queries'
import { paths } from '../../src/platform/paths'
import { type DueRule, dueRules, recordPage } from '../../src/platform/records/kind'

export const dueRule = ({ kind }: Pick<DueItem, 'kind'>) => dueRules().find(({ name }) => name === kind) as DueRule

export const recordOf = (item: DueItem) => recordPage(item.entity, item) ?? paths.vehicles.show(item.unit_number)
