import { expect, test } from 'bun:test'
import { timeZoneDifference } from '../../src/app/time-zone'
import { testContext } from '../support/context'

test('time zone data of the program and the database are compared', async () => {
  const { database } = (await testContext()).ctx
  for (const zone of ['America/Phoenix', 'America/New_York', 'Australia/Lord_Howe', 'UTC'])
    expect([zone, await timeZoneDifference(database, zone)]).toEqual([zone, null])
  // This database knows the zone under the name of another one, with other daylight saving time.
  const outdated = { raw: (text: string) => database.raw(text, ['America/Phoenix']) }
  const day = await timeZoneDifference(outdated, 'America/Denver')
  expect(day).toMatch(/^\d{4}-(?:0[3-9]|1[01])-\d\d$/)
})
