import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import fc from 'fast-check'
import { rows } from '../../db/client'
import { titles } from '../../db/schema'
import { daysPending, isOverdue, isPending, isTransferred } from '../../src/features/titles/sql'
import { testContext } from '../support/context'
import { day, daysAfter, inBatches, nearDay, rowsOf, today } from '../support/property'

const t = alias(titles, 't')
const title = fc.record({ submitted_date: fc.oneof(day, nearDay), transferred_date: fc.option(fc.oneof(day, nearDay)) })
const setting = fc.record({ now: today, limit: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.constant(36_500)) })

test('pending days match the calendar, and a title is overdue beyond the limit', async () => {
  const { ctx } = await testContext()
  await inBatches(title, setting, async (batch, { now, limit }) => {
    const found = await rows(
      ctx.db,
      sql`select ${daysPending(t, now)} as days, ${isPending(t)} as pending, ${isTransferred(t)} as transferred,
        ${isOverdue(t, now, limit)} as overdue
        from ${rowsOf('titles', batch, 't')} order by t.n`,
    )
    const expected = batch.map(({ submitted_date, transferred_date }) => {
      const until = transferred_date ?? now
      const days = daysAfter(submitted_date, until).length
      const pending = transferred_date === null
      return { days, pending, transferred: !pending, overdue: pending && days > limit }
    })
    expect(found).toEqual(expected)
  })
})
