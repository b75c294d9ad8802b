import { beforeEach, describe, expect, test } from 'bun:test'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const DAY = '2026-03-02'
const BEFORE = '2026-03-01'

const FORMS: { path: string; form: Record<string, string>; fields: string[] }[] = [
  {
    path: '/transports/new',
    form: { move_date: DAY, estimated_arrival_date: BEFORE, actual_arrival_date: DAY, status: 'In Transit' },
    fields: ['unit_number', 'location_out_id', 'estimated_arrival_date', 'actual_arrival_date'],
  },
  {
    path: '/osl/new',
    form: {
      ...{ osl_date: DAY, status: 'Completed', completed_on: BEFORE, next_action_on: DAY, owner: 'nobody' },
      ...{ storage_fees_applicable: 'true', storage_fee_daily_rate: '' },
    },
    fields: ['unit_number', 'problem', 'storage_fee_daily_rate', 'completed_on', 'next_action', 'owner'],
  },
  {
    path: '/vehicles/registrations/new',
    form: { date_issued: DAY, date_expires: BEFORE, cost: 'x' },
    fields: ['unit_number', 'plate_number', 'date_expires', 'cost'],
  },
  {
    path: '/titles/new',
    form: { submitted_date: DAY, transferred_date: BEFORE },
    fields: ['unit_number', 'location_id', 'transferred_date'],
  },
  {
    path: '/admin/users/new',
    form: { username: 'ben', password: 'Phoenix2026', email: 'x', current_password: 'wrong' },
    fields: ['username', 'password', 'email', 'current_password'],
  },
]

/** Fields to which the list of errors links, in its order. `#content` is the link that skips the navigation. */
const fieldsShown = (html: string) =>
  [...html.matchAll(/href="#(?!content")([a-z_.0-9]+)"/g)].map(([, field]) => `${field}`)

const EDITED: { path: string; values: object; form: Record<string, string>; fields: string[] }[] = [
  {
    path: '/transports',
    values: { location_out_id: 1, location_in_id: 2, transport_company_id: 1, move_date: DAY, move_type: 'Fleet' },
    form: { move_date: DAY, estimated_arrival_date: BEFORE, actual_arrival_date: DAY, status: 'In Transit' },
    fields: ['unit_number', 'estimated_arrival_date', 'actual_arrival_date'],
  },
  {
    path: '/osl',
    values: { location_id: 1, osl_date: DAY, problem: 'Transmission slips in third gear' },
    form: {
      ...{ osl_date: DAY, status: 'Completed', completed_on: BEFORE, next_action_on: DAY, owner: 'nobody' },
      ...{ storage_fees_applicable: 'true', storage_fee_daily_rate: '' },
    },
    fields: ['unit_number', 'storage_fee_daily_rate', 'completed_on', 'next_action', 'owner'],
  },
  {
    path: '/registrations',
    values: {
      ...{ location_id: 1, plate_number: 'CDA4821', state_province: 'AZ', date_issued: DAY },
      ...{ date_expires: '2027-03-02', registration_type: 'New' },
    },
    form: { date_issued: DAY, date_expires: BEFORE, cost: 'x' },
    fields: ['unit_number', 'date_expires', 'cost'],
  },
  {
    path: '/titles',
    values: { location_id: 1, submitted_date: DAY },
    form: { submitted_date: DAY, transferred_date: BEFORE },
    fields: ['unit_number', 'transferred_date'],
  },
]

describe('a form with several mistakes', () => {
  test.each(FORMS)('on $path shows all of them at once', async ({ path, form, fields }) => {
    const { status, html } = await h.cast.ada.submit(path, form)
    expect(status).toBe(422)
    const shown = fieldsShown(html)
    expect(shown.filter((field) => fields.includes(field))).toEqual(fields)
    expect(new Set(shown).size).toBe(shown.length)
  })

  test.each(EDITED)('on an existing record of $path shows all of them', async ({ path, values, form, fields }) => {
    const made = await h.cast.ada.post(path, { unit_number: '100001', ...values })
    expect(made.status).toBe(201)
    const { id } = made.body.data as { id: number }
    const page = path === '/registrations' ? `/vehicles/registrations/${id}/edit` : `${path}/${id}/edit`
    const stored = (await h.cast.ada.get(`${path}/${id}`)).body.data as Record<string, unknown>
    const filled = Object.fromEntries(Object.entries(stored).map(([name, value]) => [name, String(value ?? '')]))
    const { status, html } = await h.cast.ada.submit(page, { ...filled, ...form, unit_number: '' })
    expect(status).toBe(422)
    expect(fieldsShown(html).filter((field) => fields.includes(field))).toEqual(fields)
  })

  test('about a schedule shows all of them', async () => {
    const { status, html } = await h.cast.ada.submit('/reports/schedules/new', { name: '', frequency: 'weekly' })
    expect([status, fieldsShown(html)]).toEqual([422, ['name', 'report_type', 'weekday']])
  })

  test('about a new password reports the password and its repetition', async () => {
    const form = { currentPassword: 'Saguaro42', newPassword: 'short', confirmPassword: 'other' }
    const { html } = await h.cast.ben.submit('/profile/password', form)
    expect(html).toContain('Password must be at least 8 characters')
    expect(html).toContain('New passwords do not match')
  })

  test('in an invoice names each unreadable line and each wrong field', async () => {
    const { body } = await h.cast.ada.post('/vendors', { vendor_name: 'Copper State Towing' })
    const lines = '100001 x\n100002\n12 5\n100003 1.234'
    const form = { number: '', start_date: DAY, end_date: BEFORE, lines }
    const { html, status } = await h.cast.ada.submit(`/vendors/${(body.data as { id: number }).id}/invoices/new`, form)
    expect(status).toBe(422)
    expect(html).toContain('Invoice number is required')
    expect(html).toContain('The end date is before the start date')
    expect(html).toContain('Line 1: ')
    expect(html).toContain('Line 2: ')
  })
})
