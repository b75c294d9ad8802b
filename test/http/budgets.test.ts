import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { testContext } from '../support/context'

const gzipped = (body: string | Uint8Array<ArrayBuffer>) =>
  Bun.gzipSync(typeof body === 'string' ? Buffer.from(body) : body, { level: 6 }).length

async function fill(db: Awaited<ReturnType<typeof testContext>>['ctx']['db'], count: number) {
  await db.execute(
    sql`insert into vehicles (unit_number) select lpad(n::text, 6, '0') from generate_series(1, ${count}) n`,
  )
  await db.execute(sql`insert into transports (unit_number, location_out_id, location_in_id, move_date,
    transport_company_id, ra_number, estimated_cost)
    select lpad(n::text, 6, '0'), 1 + n % 3, 1 + (n + 1) % 3, date '2026-03-01' + n % 9, 1 + n % 2, 'RA' || n, 100 + n
    from generate_series(1, ${count}) n`)
}

test('first visit, boot script, the common and each rare script stay under 43, 23, 110 and 6 KB', async () => {
  const { ctx, cast } = await testContext()
  await fill(ctx.db, 60)
  const { html } = await cast.ben.open('/transports/active')
  const { files, links } = ctx.assets
  const weigh = (path: string) => gzipped(files.find((file) => file.path === path)!.body)
  const shell = gzipped(html) + weigh(links.boot) + weigh(links.css)
  const islands = files.filter(({ path }) => path.startsWith('/assets/island-'))
  // Only pages with passkeys, documents or scans load these scripts.
  const isRare = ({ body }: { body: Uint8Array }) =>
    ['The passkey was not used', 'thumbnail.jpg', 'yardmaster-scans:'].some((text) => Buffer.from(body).includes(text))
  const rare = islands.filter(isRare)
  const common = islands.filter((file) => !isRare(file)).reduce((sum, { path }) => sum + weigh(path), 0)
  expect(shell).toBeLessThan(43 * 1024)
  expect(weigh(links.boot)).toBeLessThan(23 * 1024)
  expect(weigh(links.boot) + common).toBeLessThan(110 * 1024)
  expect(rare.map(({ path }) => weigh(path) < 6 * 1024)).toEqual([true, true, true])
})

test('list rows average at most 1,600 bytes of HTML', async () => {
  const { ctx, cast } = await testContext()
  await fill(ctx.db, 60)
  const { html } = await cast.ben.open('/transports/active?per_page=50')
  const rows = html.slice(html.indexOf('<tbody'), html.indexOf('</tbody>'))
  expect([rows.split('<tr').length - 1, rows.length <= 50 * 1600]).toEqual([50, true])
})

test('a list page runs at most four queries, including the session check', async () => {
  const { ctx, cast } = await testContext()
  await fill(ctx.db, 60)
  await cast.ada.open('/profile')
  for (const path of [
    '/transports/active',
    '/transports/completed',
    '/osl/active',
    '/osl/completed?start_date=2026-01-01&end_date=2026-12-31',
    '/vehicles/registrations',
    '/vehicles/registrations?tab=expiring',
    '/vehicles/registrations?tab=overdue',
    '/titles',
    '/admin/locations',
    '/admin/transport-companies',
    '/admin/vendors',
    '/admin/users',
  ]) {
    // Starts at 1 for the session check, whose shared prepared statement is not counted below.
    let queryCount = 1
    const session = (ctx.db as unknown as { session: { prepareQuery: (...args: unknown[]) => unknown } }).session
    const prepareQuery = session.prepareQuery
    session.prepareQuery = function (...args) {
      queryCount++
      return prepareQuery.apply(this, args)
    }
    const page = await cast.ada.open(path)
    session.prepareQuery = prepareQuery
    expect([path, page.status, queryCount > 1 && queryCount <= 4]).toEqual([path, 200, true])
  }
})
