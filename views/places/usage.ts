import { showCount } from '../format'

export type Usage = {
  transports: number
  osl: number
  registrations: number
  titles: number
  total: number
  others: number
}

const KINDS: [kind: keyof Usage, one: string, many: string][] = [
  ['transports', 'transport', 'transports'],
  ['osl', 'OSL entry', 'OSL entries'],
  ['registrations', 'registration', 'registrations'],
  ['titles', 'title', 'titles'],
  ['others', 'other record', 'other records'],
]

/** What refers to a record, in words: `2 transports, 1 title`; blank for nothing. */
export const usesOf = (usage: Usage): string =>
  KINDS.filter(([kind]) => usage[kind] > 0)
    .map(([kind, one, many]) => `${showCount(usage[kind])} ${usage[kind] === 1 ? one : many}`)
    .join(', ')
