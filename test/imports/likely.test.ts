import { expect, test } from 'bun:test'
import { suggestMatches } from '../../src/platform/imports/name-suggestions'
import { testContext } from '../support/context'

const place = (id: number, location_code: string, location_name: string, other_names: string[] | null = null) => ({
  id,
  location_code,
  location_name,
  other_names,
})
const PLACES = [
  place(1, 'PHX', 'Phoenix'),
  place(2, 'MES', 'Mesa', ['East Valley']),
  place(3, 'TUS', 'Tucson North'),
  place(4, 'TSW', 'Tucson South'),
]
const COMPANIES = [{ id: 7, company_name: 'Saguaro Logistics', other_names: null }]

test('unknown names are compared with all known names and aliases', () => {
  const idsOf = (name: string, places = PLACES) =>
    suggestMatches([{ kind: 'location', name }], places, COMPANIES)[`location ${name}`]?.ids
  const of = (name: string) => idsOf(name)
  expect(of('Phonix')).toEqual([1])
  expect(of('PHOENIX  ')).toEqual([1])
  expect(of('Mesa Yard')).toEqual([2])
  expect(of('east vally')).toEqual([2])
  // One word of the other's name is as likely of each, in their order; half a word is none.
  expect(of('Tucson')).toEqual([3, 4])
  expect(of('Tucson Nort')).toEqual([3, 4])
  expect(of('Mesabi')).toEqual([2])
  expect(of('Flagstaff')).toEqual([])
  expect(of('')).toEqual([])
  expect(suggestMatches([{ kind: 'company', name: 'Saguaro Logistic' }], PLACES, COMPANIES)).toEqual({
    'company Saguaro Logistic': { ids: [7], isTypo: true },
  })
  expect(suggestMatches([{ kind: 'company', name: 'Phoenix' }], PLACES, COMPANIES)).toEqual({
    'company Phoenix': { ids: [], isTypo: false },
  })
  // Three of five letters are enough, and a whole word of three.
  const short = [place(5, 'QQ', 'abcde')]
  expect(idsOf('abcxy', short)).toEqual([5])
  expect(idsOf('abxyz', short)).toEqual([])
  expect(of('The big yard of MES in town')).toEqual([2])
  expect(idsOf('The yard of QQ', short)).toEqual([])
  const many = ['Yard A', 'Yard B', 'Yard C', 'Yard D'].map((name, at) => place(at, name, name))
  expect(idsOf('Yard X', many)).toEqual([0, 1, 2])
  const lots = [place(1, 'Lot 12', 'Lot 12'), place(2, 'Lot 13', 'Lot 13')]
  expect(idsOf('Lott 13', lots)).toEqual([2])
})

test('a name that differs only by typing errors in long words counts as a typo', () => {
  const places = [place(1, 'PHX', 'Phoenix East'), place(2, 'CSW', 'Copper State'), place(3, 'L12', 'Lot 12')]
  const isTypoOf = (name: string) =>
    suggestMatches([{ kind: 'location', name }], places, [])[`location ${name}`]?.isTypo
  expect(['Phonix East', 'Coper State', 'Copper Stat', 'Cpoper State'].map(isTypoOf)).toEqual([true, true, true, true])
  expect(['Phoenix West', 'Phoenix', 'Lot 13', 'Lott 12'].map(isTypoOf)).toEqual([false, false, false, false])
})

test('questions about unknown names offer similar names first', async () => {
  const h = await testContext()
  for (const user of [h.cast.ben, h.cast.ada]) {
    const { id } = await user.begin('titles', 'titles.csv', 'unit_number,location\n100300,Phonix\n100301,Flagstaff\n')
    await user.settled(id)
    const page = await user.open(`/files/imports/${id}`)
    expect(page.find('.spelt-alike')).toEqual(['Similar to Phoenix (PHX)'])
    expect(page.find('select[name="choice.0"] optgroup[label="Similar names"] option')).toEqual(['Phoenix (PHX)'])
    expect(page.find('select[name="choice.0"] optgroup[label="All others"] option')).not.toContain('Phoenix (PHX)')
    expect(page.find('select[name="choice.1"] optgroup')).toEqual([])
    expect(page.find('select[name="choice.1"] option')).toContain('Phoenix (PHX)')
  }
})
