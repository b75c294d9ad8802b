import { afterAll, expect, test } from 'bun:test'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildDeb } from '../../src/app/deb'
import { removeFolders, temporaryFolder } from '../support/program'

afterAll(removeFolders)

test('a Debian package has the executable, the unit and scripts, and equal sources give equal bytes', () => {
  const folder = temporaryFolder()
  const executable = join(folder, 'program')
  writeFileSync(executable, '#!/bin/sh\necho Yardmaster\n')
  const build = (name: string) => {
    const to = join(folder, name)
    buildDeb({ executable, version: '1.2.3', architecture: 'amd64', time: 1_700_000_000, to })
    return to
  }
  const [one, two] = [build('one.deb'), build('two.deb')]
  expect(readFileSync(one).equals(readFileSync(two))).toBe(true)
  const tool = (...args: string[]) => Bun.spawnSync(['dpkg-deb', ...args]).stdout.toString()
  expect(tool('--field', one, 'Package', 'Version', 'Architecture')).toBe(
    'Package: yardmaster\nVersion: 1.2.3\nArchitecture: amd64\n',
  )
  const root = join(folder, 'root')
  tool('--raw-extract', one, root)
  const program = join(root, 'usr/bin/yardmaster')
  expect([statSync(program).mode & 0o777, Bun.spawnSync([program]).stdout.toString()]).toEqual([0o755, 'Yardmaster\n'])
  const unit = readFileSync(join(root, 'lib/systemd/system/yardmaster.service'), 'utf8')
  expect(unit).toStartWith('[Unit]\n')
  expect(unit).toContain('ExecStart=/usr/bin/yardmaster serve\n')
  for (const script of ['postinst', 'prerm']) {
    const path = join(root, 'DEBIAN', script)
    expect([script, Bun.spawnSync(['sh', '-n', path]).exitCode, statSync(path).mode & 0o777]).toEqual([
      script,
      0,
      0o755,
    ])
  }
})
