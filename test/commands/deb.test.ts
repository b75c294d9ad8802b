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
    buildDeb({ executable, licences: 'MIT', version: '1.2.3', architecture: 'amd64', time: 1_700_000_000, to })
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
  expect(readFileSync(join(root, 'usr/share/doc/yardmaster/copyright'), 'utf8')).toBe('MIT')
  const unit = (name: string) => readFileSync(join(root, 'usr/lib/systemd/system', name), 'utf8')
  expect(unit('yardmaster.service')).toStartWith('[Unit]\n')
  expect(unit('yardmaster.service')).toContain('ExecStart=/usr/bin/yardmaster serve\n')
  expect(unit('yardmaster-backup.service')).toContain(' /usr/bin/yardmaster backup ')
  expect(unit('yardmaster-backup.timer')).toContain('OnCalendar=')
  for (const script of ['postinst', 'prerm']) {
    const path = join(root, 'DEBIAN', script)
    expect([script, Bun.spawnSync(['sh', '-n', path]).exitCode, statSync(path).mode & 0o777]).toEqual([
      script,
      0,
      0o755,
    ])
  }
})
