import { beforeEach, describe, expect, test } from 'bun:test'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const NAMES = ['Zed', 'Lot 10', 'banana', 'Élan', 'Lot 2', 'Elb']
const SORTED = ['banana', 'Élan', 'Elb', 'Lot 2', 'Lot 10', 'Zed']
const only = (names: unknown[]) => names.filter((name) => SORTED.includes(String(name)))

describe('Names are sorted ignoring case and accents, and numbers in them by value', () => {
  test('in master data lists and drop-downs', async () => {
    for (const [at, name] of NAMES.entries()) {
      await h.cast.ada.post('/locations', { location_code: `N${at}`, location_name: name, location_type: 'Hub' })
      await h.cast.ada.post('/vendors', { vendor_name: name })
      await h.cast.ada.post('/transport-companies', { company_name: name })
    }
    for (const [list, field] of [
      ['locations?sort=location_name', 'location_name'],
      ['locations/active', 'location_name'],
      ['vendors?sort=vendor_name', 'vendor_name'],
      ['vendors/active', 'vendor_name'],
      ['transport-companies?sort=company_name', 'company_name'],
      ['transport-companies/active', 'company_name'],
    ] as const) {
      const { data } = (await h.cast.ben.get(`/${list}`)).body
      const names = (data as Record<string, unknown>[]).map((row) => row[field])
      expect([list, only(names)]).toEqual([list, SORTED])
    }
    const { html } = await h.cast.ada.open('/admin/vendors?sort=vendor_name&order=desc')
    const shown = [...html.matchAll(/>(Zed|Lot 10|banana|Élan|Lot 2|Elb)</g)].map(([, name]) => name)
    expect([...new Set(shown)]).toEqual([...SORTED].reverse())
  })

  test('in record lists and exports', async () => {
    for (const [at, name] of NAMES.entries()) {
      const place = { location_code: `N${at}`, location_name: name, location_type: 'Hub' }
      const { id } = (await h.cast.ada.post('/locations', place)).body.data as { id: number }
      await h.cast.ben.post('/titles', { unit_number: String(100_200 + at), location_id: id, dealer_name: name })
      await h.cast.ben.post('/vehicles', { unit_number: String(100_200 + at), current_location: name })
    }
    for (const [list, field] of [
      ['titles?sort=location_name', 'location_name'],
      ['titles?sort=dealer_name', 'dealer_name'],
      ['vehicles?sort=current_location', 'current_location'],
    ] as const) {
      const sorted = (await h.cast.ben.get(`/${list}&order=asc`)).body.data as Record<string, unknown>[]
      expect([list, only(sorted.map((row) => row[field]))]).toEqual([list, SORTED])
    }
    const { text } = (await h.cast.ben.get('/exports/titles-pending?sort=dealer_name&order=asc')).body as unknown as {
      text: string
    }
    const dealers = text.split('\n').map((line) => NAMES.find((name) => line.includes(`,${name},`)))
    expect(dealers.filter(Boolean)).toEqual(SORTED)
  })
})
