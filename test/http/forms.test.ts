import { expect, test } from 'bun:test'
import { testContext } from '../support/context'

/** The form of each kind of record: empty, filled, rejected, stale and saved. */

const FORMS = {
  transports: {
    page: '/transports',
    heads: ['New Transport Entry', 'Edit transport, unit 100200'],
    field: 'notes',
    bad: { move_date: '2026-02-30' },
  },
  osl: {
    page: '/osl',
    heads: ['New OSL Entry', 'Edit OSL entry, unit 100200'],
    field: 'key_location',
    bad: { problem: 'Flat' },
  },
  registrations: {
    page: '/vehicles/registrations',
    heads: ['Add registration', 'Edit registration, unit 100200'],
    field: 'notes',
    bad: { state_province: 'Arizona' },
  },
  titles: {
    page: '/titles',
    heads: ['Add title', 'Edit title, unit 100200'],
    field: 'dealer_name',
    bad: { submitted_date: 'soon' },
  },
} as const

for (const [kind, { page, heads, field, bad }] of Object.entries(FORMS)) {
  test(`${kind}: a form keeps its input after errors and never overwrites a newer change`, async () => {
    const { cast } = await testContext()
    const { ben } = cast
    const bodies = {
      transports: {
        location_out_id: cast.phoenix,
        location_in_id: cast.tempe,
        transport_company_id: cast.desert,
        move_date: '2026-03-10',
      },
      osl: { osl_date: '2026-03-10', location_id: cast.mesa, problem: 'Transmission slips in third gear' },
      registrations: {
        plate_number: 'AZ 100',
        state_province: 'AZ',
        date_issued: '2025-03-10',
        date_expires: '2026-12-10',
        location_id: cast.mesa,
      },
      titles: { submitted_date: '2026-03-01', location_id: cast.mesa },
    }
    const made = (await ben.post(`/${kind}`, { unit_number: '100200', ...bodies[kind as keyof typeof bodies] })).body
      .data as Record<string, unknown> & {
      id: number
      version: number
    }
    const stored = async () => (await ben.get(`/${kind}/${made.id}`)).body.data as Record<string, unknown>

    const empty = await ben.open(`${page}/new`)
    expect([empty.status, empty.find('h1')]).toEqual([200, [heads[0]]])
    expect(empty.html).not.toContain('name="version"')
    const filled = await ben.open(`${page}/${made.id}/edit`)
    expect([filled.status, filled.find('h1')]).toEqual([200, [heads[1]]])
    expect(filled.html).toMatch(/name="version"/)

    const typed = Object.fromEntries(Object.entries(made).map(([name, value]) => [name, value ?? '']))
    const refused = await ben.submit(`${page}/${made.id}/edit`, { ...typed, [field]: 'Typed by Ben', ...bad })
    expect([refused.status, refused.html.includes('Typed by Ben'), refused.find('.error-summary').length]).toEqual([
      422,
      true,
      1,
    ])
    expect((await stored())[field]).toBe(made[field])

    expect((await cast.ada.put(`/${kind}/${made.id}`, { [field]: 'Typed by Ada' })).status).toBe(200)
    const stale = await ben.submit(`${page}/${made.id}/edit`, { ...typed, [field]: 'Typed by Ben' })
    expect([stale.status, stale.html.includes('Typed by Ben'), stale.html.includes('Typed by Ada')]).toEqual([
      409,
      true,
      true,
    ])
    expect((await stored())[field]).toBe('Typed by Ada')

    const saved = await ben.submit(`${page}/${made.id}/edit`, {
      ...typed,
      version: made.version + 1,
      [field]: ' Typed by Ben ',
    })
    expect([saved.status, saved.toast]).toEqual([303, expect.stringContaining('updated successfully')])
    expect(await stored()).toMatchObject({ [field]: 'Typed by Ben', version: made.version + 2 })
    for (const path of [`${page}/999/edit`, `${page}/999/delete`])
      expect([path, (await ben.open(path)).status]).toEqual([path, 404])
    expect((await ben.submit(`${page}/999/edit`, { ...typed })).status).toBe(404)
  })
}

test('the error summary names the field, and in a table also the row', async () => {
  const { ben } = (await testContext()).cast
  const wrong = await ben.submit('/transports/new', {
    unit_number: '12',
    estimated_cost: 'dear',
    move_date: '2026-03-10',
  })
  expect(wrong.find('.error-summary li')).toEqual([
    'Unit number: 6 digits required',
    // A message that names its field gets no prefix.
    'Location out is required',
    'Location in is required',
    'Transport company is required',
    'Estimated cost: Must be an amount, for example 1250.50',
  ])
  const cells = { 'cell.5.unit_number': '1', 'cell.5.notes': 'x'.repeat(5001) }
  const long = await ben.submit('/files/grid', { data_type: 'titles', ...cells })
  expect(long.find('.error-summary li')).toEqual(['Notes, row 5: At most 5000 characters fit in a cell'])
})
