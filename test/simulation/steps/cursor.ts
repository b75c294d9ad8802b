import type { Choices } from '../choices'
import { same } from '../compare'
import { Difference, type Driver } from '../driver'
import { Fleet } from '../model/fleet'
import { RECORD_STEPS } from './records'
import type { Step } from './step'
import { TRANSPORT_STEPS } from './transports'

/** Reads transports by cursor while others change. A row that exists throughout must be read exactly once. */
async function readUnderWrites(driver: Driver, choices: Choices) {
  const { fleet } = driver
  const writes = [...TRANSPORT_STEPS, ...RECORD_STEPS].map(([, step]) => step)
  const before = fleet.transports.map(({ id }) => id)
  const isThere = (id: number) => !fleet.deleted.has(Fleet.key({ kind: 'transports', id }))
  /** Rows that were deleted during the read. A restored row can be behind the cursor, so it need not be read. */
  const deletedIds = new Set<number>()
  const read: number[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const body = await driver.get(`/transports?per_page=5&cursor=${cursor}`)
    read.push(...(body.data as unknown as { id: number }[]).map(({ id }) => id))
    cursor = (body.meta as unknown as { next_cursor: string | null }).next_cursor
    if (cursor !== null) await choices.of(writes)?.(driver, choices)
    for (const id of before) if (!isThere(id)) deletedIds.add(id)
  }
  if (new Set(read).size !== read.length) throw new Difference(`A cursor returned a row twice: ${read}`)
  same(
    'Rows missed by a cursor',
    before.filter((id) => !deletedIds.has(id) && !read.includes(id)),
    [],
  )
}

export const CURSOR_STEPS: [number, Step][] = [[1, readUnderWrites]]
