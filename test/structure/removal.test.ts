import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../support/imports'

/** Files outside the titles feature that depend on it, with the reason. */
const EXPECTED = {
  'db/seed.ts': 'the sample fleet',
  'src/features/dashboard/queries.ts': 'the dashboard counts pending titles (specification)',
  'src/features/vehicles/history/queries.ts': 'a vehicle shows its titles (specification)',
  'views/vehicles/vehicle-history.tsx': 'a vehicle shows its titles (specification)',
  'src/features/vehicles/unit-summary.ts': 'a form says that a title of the unit is pending',
  'src/features/reports/fleet-reports.ts': 'the title aging report',
  'src/features/transports/due.ts': 'a sold vehicle without a title is due',
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'yardmaster-removal-'))
  for (const part of ['src', 'views', 'islands', 'db', 'package.json', 'tsconfig.json', 'public'])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Removes every line that matches. */
function removeLines(file: string, lines: RegExp) {
  const path = join(folder, file)
  const fileLines = readFileSync(path, 'utf8').split('\n')
  writeFileSync(path, fileLines.filter((line) => !lines.test(line)).join('\n'))
}

test('removing the titles feature breaks only the listed files', async () => {
  for (const part of ['src/features/titles', 'views/titles', 'db/schema/titles.ts'])
    rmSync(join(folder, part), { recursive: true })
  removeLines('db/schema/index.ts', /titles/)
  removeLines('src/app/modules.ts', /\btitles\b/)
  removeLines('src/app/import-kinds.ts', /\btitle/i)

  const tsc = Bun.spawn([process.execPath, '--bun', 'node_modules/.bin/tsc', '--noEmit', '--pretty', 'false'], {
    cwd: folder,
    stdout: 'pipe',
  })
  const output = await new Response(tsc.stdout).text()
  const files = new Set([...output.matchAll(/^(\S+?)\(\d+,\d+\): error/gm)].map(([, file]) => file))
  expect([...files].sort()).toEqual(Object.keys(EXPECTED).sort())
})
