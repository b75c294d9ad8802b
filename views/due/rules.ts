import type { DueItem } from '../../src/features/due/queries'
import { paths } from '../../src/platform/paths'
import { type DueRule, dueRules, recordPage } from '../../src/platform/records/kind'

/** The rule by which an item is due. */
export const dueRule = ({ kind }: Pick<DueItem, 'kind'>) => dueRules().find(({ name }) => name === kind) as DueRule

/** The page of the record that is due. */
export const recordOf = (item: DueItem) => recordPage(item.entity, item) ?? paths.vehicles.show(item.unit_number)
