import { beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { rows } from '../../db/client'
import { registrationImport } from '../../src/features/registrations/import'
import { planned } from '../../src/platform/imports/job/steps'
import { firstMatch } from '../../src/platform/imports/sql/expressions'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

test('an imported registration is matched by one index on unit, issue date and plate', async () => {
  const plan = await planned(h.ctx.db, (tx) =>
    rows<{ 'QUERY PLAN': string }>(tx, sql`explain select ${firstMatch(registrationImport)} from upload_rows r`),
  )
  const text = plan.map((line) => line['QUERY PLAN']).join('\n')
  const [, condition] = /Index Scan using registrations_key_idx[^\n]*\n\s*Index Cond: ([^\n]*)/.exec(text) ?? []
  expect(condition?.match(/unit_number|date_issued|plate_number/g)).toEqual([
    'unit_number',
    'date_issued',
    'plate_number',
  ])
})
