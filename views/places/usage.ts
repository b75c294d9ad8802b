import { findKindByName } from '../../src/platform/records/kind'
import type { Usage } from '../../src/platform/records/master-data/queries'
import { showCount } from '../format'

const countOf = (count: number, one: string, many: string) =>
  count > 0 ? [`${showCount(count)} ${count === 1 ? one : many}`] : []

/**
 * Describes the records that refer to a location, company or vendor. An example is `2 transports, 1 title`. Empty if
 * there are no such records.
 */
export const usesOf = ({ counts, others }: Usage): string =>
  [
    ...Object.entries(counts).flatMap(([name, count]) => {
      const kind = findKindByName(name)
      return kind ? countOf(count, kind.noun, kind.many) : []
    }),
    ...countOf(others, 'other record', 'other records'),
  ].join(', ')
