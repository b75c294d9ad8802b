import { expect, test } from 'bun:test'
import { importKind } from '../../src/platform/imports/kinds'
import type { NameMatch } from '../../src/platform/imports/names'
import { cellReader } from '../../src/platform/imports/parse/read-field'
import '../support/context'

const column = importKind('titles').columns.find(({ name }) => name === 'location')!
const reading = (count: number, more = {}) => {
  const locations = new Map<string, NameMatch>([['phoenix', { id: 1, label: 'Phoenix' }]])
  for (let n = 1; n < count; n++) locations.set(`place ${n}`, { id: n, label: `Place ${n}` })
  const names = { locations, companies: new Map(), words: new Map() }
  return { today: '2026-03-14', names, dateOrders: {}, date1904: false, ...more }
}
const unknown = 'Unknown location "Phoenx"'

test('an unknown name is compared with the known names, unless that is not wanted', () => {
  expect(cellReader(column, reading(2))('Phoenx').error).toBe(`${unknown}; did you mean Phoenix?`)
  expect(cellReader(column, reading(2, { withoutSuggestions: true }))('Phoenx').error).toBe(unknown)
})

test('the names of a file are compared at most two million times', () => {
  const read = cellReader(column, reading(500_000))
  for (const name of ['Tempa', 'Tuscon', 'Meza']) read(name)
  expect(read('Phoenx').error).toBe(`${unknown}; did you mean Phoenix?`)
  expect(read('Phoenxi').error).toBe('Unknown location "Phoenxi"')
})
