import { expect, test } from 'bun:test'
import { optionsFor } from '../../islands/combobox'

const LABELS = ['Mesa (MES)', 'Phoenix (PHX)', 'North Phoenix (NPH)', 'Tempe (TMP)', 'Amesbury (AMB)']
const found = (typed: string) => optionsFor(typed, LABELS).map((at) => LABELS[at])

test('matches are ranked by code, then start of name, start of word and any part', () => {
  expect(found('PHX')).toEqual(['Phoenix (PHX)'])
  expect(found('me')).toEqual(['Mesa (MES)', 'Amesbury (AMB)'])
  expect(found('ph')).toEqual(['Phoenix (PHX)', 'North Phoenix (NPH)'])
  expect(found('amb')).toEqual(['Amesbury (AMB)'])
  expect(found('north ph')).toEqual(['North Phoenix (NPH)'])
  expect(found('xyz')).toEqual([])
})
