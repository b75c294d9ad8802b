import '../../src/app/kinds'
import { describe, expect, test } from 'bun:test'
import { getTableColumns } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import {
  apiTokens,
  companySettings,
  locations,
  oslEntries,
  registrations,
  savedViews,
  titles,
  transportCompanies,
  transports,
  users,
  vendors,
} from '../../db/schema'
import { oslEntry } from '../../src/features/osl/rules'
import { location } from '../../src/features/places/locations/rules'
import { transportCompany } from '../../src/features/places/transport-companies/rules'
import { vendor } from '../../src/features/places/vendors/rules'
import { registration } from '../../src/features/registrations/rules'
import { settings } from '../../src/features/settings/rules'
import { title } from '../../src/features/titles/rules'
import { transport } from '../../src/features/transports/rules'
import { account } from '../../src/features/users/rules'
import { profile } from '../../src/platform/auth/rules'
import { newToken } from '../../src/platform/auth/token-rules'
import { listNames } from '../../src/platform/lists/kind'
import { savedView } from '../../src/platform/lists/saved-views/rules'
import { dueRules } from '../../src/platform/records/kind'

/**
 * A text can be as long as its column, but not longer.
 * Otherwise, the database would refuse a value that the rule accepts.
 */

const RULES: [name: string, rule: z.ZodObject, table: PgTable][] = [
  ['transports', transport, transports],
  ['OSL entries', oslEntry, oslEntries],
  ['registrations', registration, registrations],
  ['titles', title, titles],
  ['locations', location, locations],
  ['transport companies', transportCompany, transportCompanies],
  ['vendors', vendor, vendors],
  ['users', account, users],
  ['profiles', profile, users],
  ['views', savedView, savedViews],
  ['settings', settings, companySettings],
  ['API tokens', newToken, apiTokens],
]
/** Fields with their own rules, for which a long text is no valid value. */
const OTHER_RULES = ['unit_number', 'vin', 'state_province', 'password_hash', 'list']

const textOf = (field: string, length: number) =>
  field.endsWith('email') ? `${'a'.repeat(length - '@example.com'.length)}@example.com` : 'a'.repeat(length)

test('the names of lists and due rules fit into their columns', () => {
  const longest = (names: string[]) => Math.max(...names.map(({ length }) => length))
  expect(longest(listNames())).toBeLessThanOrEqual(20)
  expect(longest(dueRules().map(({ name }) => name))).toBeLessThanOrEqual(30)
})

describe('the longest text', () => {
  for (const [name, rule, table] of RULES)
    test(`of ${name} is as long as its column`, () => {
      let tried = 0
      for (const [field, column] of Object.entries(getTableColumns(table))) {
        const { length } = column as { length?: number }
        const own = rule.shape[field] as z.ZodType | undefined
        if (!length || !own || OTHER_RULES.includes(field) || column.enumValues) continue
        tried++
        expect([field, length, own.safeParse(textOf(field, length)).success]).toEqual([field, length, true])
        expect([field, length, own.safeParse(textOf(field, length + 1)).success]).toEqual([field, length, false])
      }
      expect(tried).toBeGreaterThan(0)
    })
})
