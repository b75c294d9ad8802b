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
  const of = (name: string) => suggestMatches([{ kind: 'location', name }], PLACES, COMPANIES)[`location ${name}`]
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
    'company Saguaro Logistic': [7],
  })
  expect(suggestMatches([{ kind: 'company', name: 'Phoenix' }], PLACES, COMPANIES)).toEqual({ 'company Phoenix': [] })
  // Three of five letters are enough, and a whole word of three.
  const short = [place(5, 'QQ', 'abcde')]
  expect(suggestMatches([{ kind: 'location', name: 'abcxy' }], short, [])['location abcxy']).toEqual([5])
  expect(suggestMatches([{ kind: 'location', name: 'abxyz' }], short, [])['location abxyz']).toEqual([])
  expect(of('The big yard of MES in town')).toEqual([2])
  expect(suggestMatches([{ kind: 'location', name: 'The yard of QQ' }], short, [])['location The yard of QQ']).toEqual(
    [],
  )
  const many = ['Yard A', 'Yard B', 'Yard C', 'Yard D'].map((name, at) => place(at, name, name))
  expect(suggestMatches([{ kind: 'location', name: 'Yard X' }], many, [])['location Yard X']).toEqual([0, 1, 2])
  const lots = [place(1, 'Lot 12', 'Lot 12'), place(2, 'Lot 13', 'Lot 13')]
  expect(suggestMatches([{ kind: 'location', name: 'Lott 13' }], lots, [])['location Lott 13']).toEqual([2])
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
