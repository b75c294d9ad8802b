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

describe('a form with several mistakes', () => {
  test.each(FORMS)('on $path shows all of them at once', async ({ path, form, fields }) => {
    const { status, html } = await h.cast.ada.submit(path, form)
    expect(status).toBe(422)
    const shown = [...html.matchAll(/href="#([a-z_.0-9]+)"/g)].map(([, field]) => `${field}`)
    expect(shown.filter((field) => fields.includes(field))).toEqual(fields)
    expect(new Set(shown).size).toBe(shown.length)
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
