import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killImports } from '../support/killed-imports'

test('an import interrupted by a kill finishes after restart without duplicate rows', async () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'yardmaster-killed-'))
  expect((await killImports({ DATA_DIR }, 4)).length).toBe(4)
  rmSync(DATA_DIR, { recursive: true })
}, 600_000)
