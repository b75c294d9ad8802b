import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { seedDemo } from '../../db/seed'
import { testContext } from '../support/context'

const LISTS = [
  '/transports/active',
  '/transports/completed',
  '/osl/active',
  '/osl/completed?start_date=2026-01-01&end_date=2026-03-14',
  '/vehicles/registrations',
  '/vehicles/registrations?tab=complete',
  '/vehicles/registrations?tab=expiring',
  '/vehicles/registrations?tab=overdue',
  '/titles',
  '/titles?tab=transferred',
  '/titles?tab=overdue',
]

test('the export links of every list and tab work', async () => {
  const h = await testContext()
  await h.ctx.db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`)
    await tx.execute(sql`truncate locations, transport_companies restart identity cascade`)
  })
  await h.ctx.db.transaction((tx) => seedDemo(tx, '2026-03-14'))
  for (const path of LISTS) {
    const { html } = await h.cast.ben.open(path)
    const links = [...html.matchAll(/href="\/api(\/exports\/[^"]*)"/g)].map(([, link = '']) =>
      link.replaceAll('&amp;', '&'),
    )
    expect([path, links.length]).toEqual([path, 2])
    for (const link of links) expect([path, link, (await h.cast.ben.get(link)).status]).toEqual([path, link, 200])
  }
})
