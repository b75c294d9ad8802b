import { expect, test } from 'bun:test'
import { testContext } from '../support/context'

const CARDS = {
  active_transports: '/transports/active',
  active_osl: '/osl/active',
  pending_registrations: '/registrations/pending',
  pending_titles: '/titles/pending',
} as const

async function filled() {
  const h = await testContext()
  const { ben, phoenix, tempe, desert } = h.cast
  for (let n = 0; n < 7; n++) {
    const unit_number = `10000${n}`
    await ben.post('/transports', {
      unit_number,
      location_out_id: phoenix,
      location_in_id: tempe,
      move_date: `2026-03-0${n + 1}`,
      transport_company_id: desert,
      status: n % 2 ? 'Delivered' : 'In Transit',
    })
    await ben.post('/osl', {
      unit_number,
      osl_date: '2026-03-04',
      location_id: phoenix,
      problem: 'A long problem '.repeat(8),
      status: n % 3 ? 'Ready' : 'Completed',
      storage_fees_applicable: true,
      storage_fee_daily_rate: 10,
    })
    await ben.post('/registrations', {
      unit_number,
      location_id: phoenix,
      plate_number: `P${n}`,
      state_province: 'AZ',
      date_issued: '2026-01-01',
      date_expires: `2026-03-${18 + n}`,
      received: n > 4,
    })
    await ben.post('/titles', { unit_number, location_id: phoenix })
  }
  await ben.patch('/titles/1/transfer')
  return h
}

test('each card counts the rows of the list that it opens', async () => {
  const h = await filled()
  const { data } = (await h.cast.ben.get('/dashboard/metrics')).body as unknown as { data: Record<string, number> }
  for (const [metric, list] of Object.entries(CARDS))
    expect([metric, data[metric]]).toEqual([metric, (await h.cast.ben.get(list)).body.meta?.total as number])
  expect(data).not.toHaveProperty('storage_fees_total')
  expect((await h.cast.ben.get('/dashboard/user')).body.data).toEqual(data as never)
  expect((await h.cast.ben.get('/dashboard/admin')).status).toBe(403)
  expect((await h.cast.ada.get('/dashboard/admin')).body.data).toMatchObject({ storage_fees_total: 400 })
})

test('the dashboard shows the greeting, cards, actions and lists of the specification', async () => {
  const h = await filled()
  const bens = await h.cast.ben.open('/dashboard')
  expect(bens.find('h1')).toEqual(['Welcome back, Ben!'])
  expect(bens.find('.lead')).toEqual(['Fleet Management Dashboard'])
  expect(bens.find('.card')).toEqual(['Active Transports4', 'Active OSL4', 'Pending Registrations5', 'Pending Titles6'])
  expect(bens.find('.actions-list a')).toEqual([
    'New Transport',
    'New OSL Entry',
    'Vehicle Lookup',
    'File Upload',
    'Reports',
  ])
  expect(bens.html).toContain('href="/upload"')
  expect(bens.find('.panel-table h2')).toEqual([
    'Recent transports',
    'Recent OSL',
    'Expiring Registrations (Next 30 Days)',
  ])
  expect(bens.find('.panel-table .badge-danger')).toContain('7 days')
  expect(bens.find('.panel-table .badge-warning')).toContain('8 days')
  expect(bens.find('td span[title]')[0]?.length).toBeLessThanOrEqual(60)
  const adas = await h.cast.ada.open('/dashboard')
  expect(adas.find('.lead')).toEqual(['Administrator Dashboard'])
  expect(adas.find('.card')).toContain('Active Storage Fees$400.00')
  expect(adas.find('.actions-list a')).toContain('Admin Settings')
})

test('statuses have the colours of the specification', async () => {
  const { statusTone } = await import('../../views/ui/badge')
  expect(
    ['Delivered', 'Vehicle Not Ready', 'Searching For Driver', 'Awaiting Pickup', 'In Transit', 'Out of Service'].map(
      statusTone,
    ),
  ).toEqual(['success', 'danger', 'warning', 'info', 'info', 'secondary'])
})

test('the dashboard lists the five newest records and ten expiring registrations', async () => {
  const h = await testContext()
  const { ben, phoenix, tempe, desert } = h.cast
  const days = ['2026-03-01', '2026-03-03', '2026-03-02', '2026-03-03', '2026-03-04', '2026-03-02']
  for (const [at, day] of days.entries()) {
    const unit_number = `10000${at}`
    const move = { location_out_id: phoenix, location_in_id: tempe, transport_company_id: desert, move_date: day }
    await ben.post('/transports', { unit_number, ...move })
    await ben.post('/osl', { unit_number, location_id: phoenix, osl_date: day, problem: 'Windshield is cracked' })
  }
  for (let n = 0; n < 12; n++)
    await ben.post('/registrations', {
      unit_number: String(200_000 + n),
      location_id: phoenix,
      plate_number: `P${n}`,
      state_province: 'AZ',
      date_issued: '2026-01-01',
      date_expires: `2026-04-0${1 + (n % 3)}`,
    })
  const { data } = (await ben.get('/dashboard/metrics')).body as never as {
    data: Record<'recent_transports' | 'recent_osl' | 'expiring_registrations', { id: number; date_expires: string }[]>
  }
  expect(data.recent_transports.map(({ id }) => id)).toEqual([5, 4, 2, 6, 3])
  expect(data.recent_osl.map(({ id }) => id)).toEqual([5, 4, 2, 6, 3])
  const expiring = data.expiring_registrations.map(({ date_expires }) => date_expires)
  expect([expiring.length, expiring.toSorted()]).toEqual([10, expiring])
})
