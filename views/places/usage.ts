import { kindNamed } from '../../src/platform/records/kind'
import type { Usage } from '../../src/platform/records/master-data/queries'
import { showCount } from '../format'

const countOf = (count: number, one: string, many: string) =>
  count > 0 ? [`${showCount(count)} ${count === 1 ? one : many}`] : []

/** What refers to a record, in words: `2 transports, 1 title`; blank for nothing. */
export const usesOf = ({ counts, others }: Usage): string =>
  [
    ...Object.entries(counts).flatMap(([name, count]) => {
      const kind = kindNamed(name)
      return kind ? countOf(count, kind.noun, kind.many) : []
    }),
    ...countOf(others, 'other record', 'other records'),
  ].join(', ')
