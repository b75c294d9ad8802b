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
  const read: number[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const body = await driver.get(`/transports?per_page=5&cursor=${cursor}`)
    read.push(...(body.data as unknown as { id: number }[]).map(({ id }) => id))
    cursor = (body.meta as unknown as { next_cursor: string | null }).next_cursor
    if (cursor !== null) await choices.of(writes)?.(driver, choices)
  }
  if (new Set(read).size !== read.length) throw new Difference(`A cursor returned a row twice: ${read}`)
  const isThere = (id: number) => !fleet.deleted.has(Fleet.key({ kind: 'transports', id }))
  same(
    'Rows missed by a cursor',
    before.filter((id) => isThere(id) && !read.includes(id)),
    [],
  )
}

export const CURSOR_STEPS: [number, Step][] = [[1, readUnderWrites]]
