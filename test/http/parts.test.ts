import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { titles } from '../../db/schema'
import { answerAllOrPage } from '../../src/platform/http/answers'
import { PASSWORD } from '../support/cast'
import { testContext } from '../support/context'

test('lists of one vehicle, location or record have all rows, or the page that a call asks for', async () => {
  const { cast } = await testContext()
  const { ben, phoenix, tempe, desert } = cast
  for (const day of [1, 2, 3]) {
    const date = `2026-03-0${day}`
    const where = { unit_number: '100300', location_id: phoenix }
    const move = { location_out_id: phoenix, location_in_id: tempe, transport_company_id: desert, move_date: date }
    await ben.post('/transports', { unit_number: '100300', ...move })
    await ben.post('/titles', { ...where, unit_number: `10030${day}` })
    await ben.post('/osl', { ...where, unit_number: `10030${day}`, osl_date: date, problem: 'Brakes grinding badly' })
    const plate = {
      plate_number: `ABC${day}`,
      state_province: 'AZ',
      date_issued: '2026-01-01',
      date_expires: '2027-01-01',
    }
    await ben.post('/registrations', { ...where, ...plate })
    await ben.post('/osl/1/notes', { note_text: `Note ${day}` })
  }
  const paths = [
    `/titles/hub/${phoenix}`,
    `/osl/location/${phoenix}`,
    `/transports/location/${phoenix}`,
    `/registrations/location/${phoenix}`,
    '/transports/vehicle/100300',
    '/osl/1/notes',
  ]
  for (const path of paths) {
    const read = async (query: string) => {
      const { body } = await ben.get(path + query)
      return { ids: (body.data as unknown as { id: number }[]).map(({ id }) => id), meta: body.meta as unknown }
    }
    const all = await read('')
    expect([path, all.ids.length, all.meta]).toEqual([path, 3, { page: 1, per_page: 3, total: 3, pages: 1 }])
    expect(await read('?page=2&per_page=2')).toEqual({
      ids: all.ids.slice(2),
      meta: { page: 2, per_page: 2, total: 3, pages: 2 },
    })
    expect((await read('?per_page=500')).ids).toEqual(all.ids)
    expect((await ben.get(`${path}?page=0`)).status).toBe(422)
  }
})

test('lists of an account, of names and of months are read page by page too', async () => {
  const { cast } = await testContext()
  for (let times = 0; times < 2; times++)
    await cast.stranger.post('/auth/login', { username: 'ada', password: PASSWORD })
  const paths = ['/auth/sessions', '/auth/sign-ins', '/locations/active', '/budgets/months']
  for (const path of [...paths, '/locations/1/months']) {
    const all = (await cast.ada.get(path)).body.data as unknown as object[]
    expect([path, all.length > 1]).toEqual([path, true])
    const { body } = await cast.ada.get(`${path}?page=2&per_page=1`)
    expect([path, body.data, body.meta]).toEqual([
      path,
      [all[1]] as never,
      { page: 2, per_page: 1, total: all.length, pages: all.length } as never,
    ])
  }
})

test('a list without a page is cut if it is too long, and its meta shows the number of all rows', async () => {
  const { cast, ctx } = await testContext()
  for (const unit_number of ['100001', '100002', '100003'])
    await cast.ben.post('/titles', { unit_number, location_id: cast.phoenix })
  const part = (longest: number) =>
    answerAllOrPage(ctx.db, (db) => db.select({ id: titles.id }).from(titles).orderBy(titles.id), {}, longest)
  expect(await part(3)).toMatchObject({ data: [{ id: 1 }, { id: 2 }, { id: 3 }], meta: { total: 3, pages: 1 } })
  expect(await part(2)).toMatchObject({ data: [{ id: 1 }, { id: 2 }], meta: { per_page: 2, total: 3, pages: 2 } })
})

test('a list without a page is cut if it has too much text, and has all rows otherwise', async () => {
  const { cast, ctx } = await testContext()
  const fill = (unit: string, count: number, notes: string) =>
    ctx.db.execute(sql`insert into osl_entries (unit_number, location_id, osl_date, problem, notes)
      select ${unit}, ${cast.phoenix}, date '2026-01-01' + n % 60, 'Brakes', ${notes}
      from generate_series(1, ${count}) n`)
  await ctx.db.execute(sql`insert into vehicles (unit_number) values ('100001'), ('100002')`)
  await fill('100001', 2500, '')
  await fill('100002', 2500, '€'.repeat(5000))
  const list = async (unit: string) => {
    const { data, meta } = (await cast.ben.get(`/osl/vehicle/${unit}`)).body as unknown as {
      data: { id: number }[]
      meta: { total: number }
    }
    return [new Set(data.map(({ id }) => id)).size, meta.total]
  }
  expect([await list('100001'), await list('100002')]).toEqual([
    [2500, 2500],
    [1000, 2500],
  ])
})
