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
  // Two names that share one word are both suggested, in their order. A part of a word does not count.
  expect(of('Tucson')).toEqual([3, 4])
  expect(of('Tucson Nort')).toEqual([3, 4])
  expect(of('Mesabi')).toEqual([2])
  expect(of('Flagstaff')).toEqual([])
  expect(of('')).toEqual([])
  expect(suggestMatches([{ kind: 'company', name: 'Saguaro Logistic' }], PLACES, COMPANIES)).toEqual({
    'company Saguaro Logistic': { ids: [7], isLikely: true },
  })
  expect(suggestMatches([{ kind: 'company', name: 'Phoenix' }], PLACES, COMPANIES)).toEqual({
    'company Phoenix': { ids: [], isLikely: false },
  })
  // Three of five equal letters are enough, and so is a whole word of three letters.
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
  const isLikely = (name: string) =>
    suggestMatches([{ kind: 'location', name }], places, [])[`location ${name}`]?.isLikely
  expect(['Phoenix East, AZ', 'Lot 12 AZ', 'Phoénix Éast'].map(isLikely)).toEqual([true, true, true])
  expect(['Phonix East', 'Coper State', 'Copper Stat', 'Cpoper State'].map(isLikely)).toEqual([true, true, true, true])
  expect(['Phoenix Esat', 'Phoenix Seat'].map(isLikely)).toEqual([true, false])
  expect(['Phoenix West', 'Phoenix', 'Lot 13', 'Lott 12'].map(isLikely)).toEqual([false, false, false, false])
})

test('a name without its legal form or its last words probably means the only record that it fits', () => {
  const companies = [
    { id: 1, company_name: 'Copper State Transport', other_names: null },
    { id: 2, company_name: 'Desert Haul North, LLC', other_names: null },
    { id: 3, company_name: 'Desert Haul South, LLC', other_names: null },
  ]
  const likely = (name: string) => {
    const found = suggestMatches([{ kind: 'company', name }], [], companies)[`company ${name}`]
    return found?.isLikely ? found.ids[0] : null
  }
  expect(likely('COPPER STATE TRANSPORT LLC')).toBe(1)
  expect(likely('Copper State Transport, L.L.C.')).toBe(1)
  expect(likely('Copper State')).toBe(1)
  expect(likely('Coper Stat')).toBe(1)
  expect(likely('Copper State Transport of Arizona')).toBe(1)
  expect(likely('Desert Haul North')).toBe(2)
  expect(likely('Copper')).toBe(1)
  expect(likely('Copp')).toBe(null)
  expect(likely('Copper River Towing')).toBe(null)
  expect(likely('Desert Haul')).toBe(null)
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

const MOVES = 'unit_number,location_out,location_in,move_date,transport_company,status'

test('an immediate import waits if the program can suggest what a name means', async () => {
  const h = await testContext()
  const { ben } = h.cast
  await h.cast.ada.post('/transport-companies', { company_name: 'Copper State Transport' })
  const start = (company: string, form: object = {}) =>
    ben.begin(
      'transports',
      'moves.csv',
      `${MOVES}\n100300,PHX - Phoenix,TMP,2026-03-01,Copper State Transport,In Transit\n100301,Phoenix - ` +
        `PHX,TMP,2026-03-01,${company},In Transit\n`,
      { commit: 'true', ...form },
    )
  const withQuestions = await start('COPPER STATE TRANSPORT LLC', { ask: 'true' })
  expect(await ben.settled(withQuestions.id)).toMatchObject({ status: 'ready', imported: 1, failed: 1 })
  const page = await ben.open(`/files/imports/${withQuestions.id}`)
  expect(page.find('select[name="choice.0"] option[selected]')).toEqual(['Copper State Transport'])
  // The program cannot suggest anything for this name, so it imports the other row at once.
  const unknown = await start('Nobody & Sons', { ask: 'true' })
  expect(await ben.settled(unknown.id)).toMatchObject({ status: 'done', imported: 1, failed: 1 })
  const withoutQuestions = await start('COPPER STATE TRANSPORT LLC')
  expect(await ben.settled(withoutQuestions.id)).toMatchObject({
    status: 'done',
    imported: 0,
    duplicates: 1,
    failed: 1,
  })
})

test('columns with unknown headings are suggested by their values', async () => {
  const h = await testContext()
  const { id } = await h.cast.ben.begin(
    'transports',
    'board.csv',
    'Rig,Where from,Where to,Leaves,Who,State\n100300,PHX,Tempe,3/4/2026,Desert Auto Haul,In Transit\n' +
      '100301,PHX,Tempe,3/5/2026,Desert Auto Haul,Delivered\n',
  )
  const page = await h.cast.ben.open(`/files/imports/${id}`)
  const chosen = [0, 1, 2, 3, 4, 5].map((at) => page.find(`select[name="field.${at}"] option[selected]`)[0])
  expect(chosen).toEqual([
    'Unit number (required)',
    'Location out (required)',
    'Location in (required)',
    'Move date (required)',
    'Transport company (required)',
    'Status (required)',
  ])
})

test('one column with both locations of a transport is split', async () => {
  const h = await testContext()
  const routes = ['PHX to TMP', 'PHX → Tempe', 'Phoenix - Tempe', 'PHX-TMP', 'PHX/TMP', 'PHX']
  const lines = routes.map((route, at) => `10030${at},${route},2026-03-01,Desert Auto Haul,In Transit`)
  const file = ['Unit,Route,Date,Carrier,Status', ...lines].join('\n')
  const { id } = await h.cast.ben.begin('transports', 'routes.csv', file)
  expect(await h.cast.ben.settled(id)).toMatchObject({ status: 'ready', imported: 5, failed: 1 })
  expect((await h.cast.ben.get(`/files/${id}`)).body.data).toMatchObject({
    errors: [{ row: 7, message: 'Route: to is required' }],
  })
  // If the file has its own location column, the column `Route` is not split.
  const plain = await h.cast.ben.begin('transports', 'plain.csv', 'Unit,Route,From,Date\n100300,R 12,PHX,2026-03-01\n')
  expect(plain.found.fields).toEqual(['unit_number', null, 'location_out', 'move_date'])
})

test('a placeholder instead of a location fails its row and raises no question', async () => {
  const h = await testContext()
  const { id } = await h.cast.ben.begin(
    'titles',
    't.csv',
    'unit_number,location\n100300,#N/A\n100301,TBD\n100302,#REF!\n',
  )
  const { found, errors } = (await h.cast.ben.get(`/files/${id}`)).body.data as {
    found: { names: unknown[] }
    errors: { message: string }[]
  }
  expect(found.names).toEqual([])
  expect(errors.map(({ message }) => message)).toEqual([
    'Location is required; #N/A counts as blank',
    'Location is required; TBD counts as blank',
    'Location: the cell shows #REF!; correct it in the spreadsheet',
  ])
})

test('a remembered heading applies only to the same heading', async () => {
  const { ben } = (await testContext()).cast
  const file = (...headings: string[]) =>
    `unit_number,location,${headings.join()}\n100300,PHX,${headings.map((_, at) => at).join()}\n`
  const { id } = await ben.begin('titles', 'first.csv', file('Who (buyer)'))
  await ben.put(`/files/${id}`, { fields: ['unit_number', 'location', 'dealer_name'] })
  await ben.settled(id)
  await ben.post(`/files/${id}/commit`)
  await ben.settled(id)
  const later = await ben.begin('titles', 'later.csv', file('Who (seller)', 'who (Buyer) ', 'PO?'))
  expect(later.found.fields).toEqual(['unit_number', 'location', null, 'dealer_name', null])
  const moves = await ben.begin('transports', 'moves.csv', 'unit_number,PO?,PO #\n100300,Y,17\n')
  expect(moves.found.fields).toEqual(['unit_number', 'issue_po', 'po_number'])
})
