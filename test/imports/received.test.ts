import { beforeEach, expect, test } from 'bun:test'
import { testContext } from '../support/context'

/** Today is 2026-03-14. */
let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const HEAD = 'Unit,Location,Plate,State,Issued,Expires'
const row = (unit: string, expires: string, received: string) =>
  `${unit},PHX,P${unit},AZ,3/1/2025,${expires},${received}`
const upload = (lines: string[], more: Record<string, string> = {}) =>
  h.cast.ben.upload('registrations', 'plates.csv', `${lines.join('\n')}\n`, more)
const stored = async () => {
  const { body } = await h.cast.ben.get('/registrations?sort=unit_number&order=asc')
  return (body.data as unknown as { received: boolean; status: string; version: number }[]).map(
    ({ received, status }) => [received, status],
  )
}

test('a column Received sets the received flag and the status of registrations', async () => {
  const cells = [
    ['2/28/2027', 'Y'],
    ['2/28/2027', ''],
    ['3/10/2026', 'yes'],
    ['2/28/2027', 'pending'],
    ['2/28/2027', '3/4/26'],
    ['2/28/2027', "rec'd"],
  ] as const
  const lines = cells.map(([expires, received], at) => row(String(100_001 + at), expires, received))
  expect((await upload([`${HEAD},Received`, ...lines])).body).toMatchObject({ imported: 6, failed: 0 })
  expect(await stored()).toEqual([
    [true, 'Complete'],
    [false, 'Pending'],
    [true, 'Expired'],
    [false, 'Pending'],
    [true, 'Complete'],
    [true, 'Complete'],
  ])
})

test('an update sets the flag, and a blank cell keeps it', async () => {
  const expires = '2/28/2027'
  await upload([`${HEAD},Tags received`, row('100001', expires, 'N'), row('100002', expires, 'Y')])
  const update = { existing: 'update' }
  await upload([`${HEAD},Tags received`, row('100001', expires, 'Y'), row('100002', expires, '')], update)
  expect(await stored()).toEqual([
    [true, 'Complete'],
    [true, 'Complete'],
  ])
  await upload([`${HEAD},Tags received`, row('100002', expires, 'No')], update)
  expect((await stored())[1]).toEqual([false, 'Pending'])
})

test('a value that is neither Yes nor No is an error of its row', async () => {
  const { body } = await upload([`${HEAD},Received`, row('100001', '2/28/2027', 'Kim')])
  expect(body).toMatchObject({
    imported: 0,
    failed: 1,
    errors: [{ row: 2, message: 'Received: Must be Yes or No, not "Kim"' }],
  })
})
