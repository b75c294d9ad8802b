import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installService, type Machine, uninstallService } from '../../src/app/operator/service'
import { systemdUnit } from '../../src/app/systemd-unit'
import { outcome, removeFolders, temporaryFolder } from '../support/program'

afterAll(removeFolders)

/** Returns a computer that records the commands instead of running them. */
function machine(values: Partial<Machine>) {
  const commands: string[] = []
  const own: Machine = {
    platform: 'linux',
    executable: '/opt/yardmaster',
    isRoot: true,
    env: {},
    root: `${temporaryFolder()}/`,
    run(command) {
      commands.push(command.join(' '))
      return { exitCode: 0, output: '' }
    },
    ...values,
  }
  return { own, commands }
}

const folderIn = ({ root }: Machine, path: string) => mkdirSync(join(root, path), { recursive: true })

function withSystemd(values: Partial<Machine> = {}) {
  const made = machine(values)
  folderIn(made.own, '/run/systemd/system')
  folderIn(made.own, '/etc/systemd/system')
  return made
}

/** Checks that each tag is closed, and returns the text of the first element with a name. */
function elementsOf(xml: string): (name: string) => string | undefined {
  const open: string[] = []
  for (const [, slash, name = '', end] of xml.matchAll(/<(\/?)(\w+)[^>]*?(\/?)>/g))
    if (slash) expect(open.pop()).toBe(name)
    else if (!end) open.push(name)
  expect(open).toEqual([])
  return (name) => new RegExp(`<${name}>(.*?)</${name}>`).exec(xml)?.[1]
}

describe('a service of systemd', () => {
  test('is installed, replaced and removed', () => {
    const { own, commands } = withSystemd()
    expect(installService(own)).toContain('journalctl --unit yardmaster')
    const unit = join(own.root, '/etc/systemd/system/yardmaster.service')
    expect(readFileSync(unit, 'utf8')).toContain('\nExecStart=/opt/yardmaster serve\n')
    expect(commands.slice(1)).toEqual([
      'systemctl daemon-reload',
      'systemctl enable yardmaster',
      'systemctl restart yardmaster',
    ])
    expect(commands[0]).toContain('useradd --system')
    writeFileSync(unit, 'PORT=80')
    expect(installService(own)).toStartWith('The earlier definition of the service is now /etc/systemd/system/')
    expect(readFileSync(`${unit}.bak`, 'utf8')).toBe('PORT=80')
    expect(commands[4]).toBe('systemctl disable --now yardmaster')
    expect(uninstallService(own)).toBe('The service is removed. The data stays.')
    expect([existsSync(unit), commands.at(-1)]).toEqual([false, 'systemctl daemon-reload'])
    expect(() => uninstallService(own)).toThrow('the service is not installed')
  })

  test('quotes an unusual path', () => {
    expect(systemdUnit('/opt/my 100%/$& "x"')).toContain('ExecStart="/opt/my 100%%/$& \\"x\\"" serve\n')
  })

  test('is refused with the reason', () => {
    const packaged = withSystemd().own
    folderIn(packaged, '/lib/systemd/system')
    writeFileSync(join(packaged.root, '/lib/systemd/system/yardmaster.service'), '')
    for (const [own, reason] of [
      [machine({}).own, 'this system does not run systemd'],
      [packaged, 'the Debian package has installed the service already'],
      [withSystemd({ executable: null }).own, 'with the executable of a release'],
      [withSystemd({ isRoot: false }).own, 'run this command as root'],
      [withSystemd({ executable: '/home/ann/yardmaster' }).own, 'a service cannot run /home/ann/yardmaster'],
      [withSystemd({ platform: 'aix' }).own, 'aix is not supported'],
      [withSystemd({ run: () => ({ exitCode: 5, output: 'Access\n denied\n' }) }).own, '" failed: Access denied'],
    ] as const)
      expect(() => installService(own)).toThrow(reason)
  })
})

test('a service of launchd runs as the user who calls sudo, in its own folder', () => {
  const { own, commands } = machine({ platform: 'darwin', executable: '/opt/a & b', env: { SUDO_USER: 'ann' } })
  folderIn(own, '/Library/LaunchDaemons')
  expect(installService(own)).toContain('/usr/local/var/yardmaster/yardmaster.log')
  const plist = join(own.root, '/Library/LaunchDaemons/yardmaster.plist')
  const text = readFileSync(plist, 'utf8')
  expect(elementsOf(text)('array')).toBe('<string>/opt/a &amp; b</string><string>serve</string>')
  expect(text).toContain('<key>UserName</key><string>ann</string>')
  expect(existsSync(join(own.root, '/usr/local/var/yardmaster'))).toBe(true)
  expect(commands).toEqual([
    'chown -R ann /usr/local/var/yardmaster',
    'chmod 700 /usr/local/var/yardmaster',
    'launchctl bootstrap system /Library/LaunchDaemons/yardmaster.plist',
  ])
  uninstallService(own)
  expect([existsSync(plist), commands.at(-1)]).toEqual([false, 'launchctl bootout system/yardmaster'])
  expect(() => installService({ ...own, env: {} })).toThrow('with sudo')
  expect(() => installService({ ...own, executable: '/Users/ann/Downloads/yardmaster' })).toThrow('Move it to')
})

test('a service of Windows is a task without a time limit, and only administrators can read its folder', () => {
  const executable = 'C:\\Program Files\\Yardmaster\\yardmaster.exe'
  const { own, commands } = machine({ platform: 'win32', executable, isRoot: false, env: { ProgramData: 'D:\\Data' } })
  expect(installService(own)).toContain('D:\\Data\\Yardmaster\\yardmaster.log')
  const path = 'D:\\Data\\Yardmaster\\service.xml'
  const bytes = readFileSync(own.root + path)
  expect([...bytes.subarray(0, 2)]).toEqual([0xff, 0xfe])
  const element = elementsOf(bytes.toString('utf16le'))
  expect([element('ExecutionTimeLimit'), element('UserId'), element('WorkingDirectory')]).toEqual([
    'PT0S',
    'S-1-5-19',
    'D:\\Data\\Yardmaster',
  ])
  expect(element('Arguments')?.replaceAll('&quot;', '"').replaceAll('&gt;', '>').replaceAll('&amp;', '&')).toBe(
    `/d /c ""${executable}" serve >> "D:\\Data\\Yardmaster\\yardmaster.log" 2>&1"`,
  )
  expect(commands).toEqual([
    'icacls D:\\Data\\Yardmaster /inheritance:r /grant:r *S-1-5-18:(OI)(CI)F /grant:r *S-1-5-32-544:(OI)(CI)F ' +
      '/grant:r *S-1-5-19:(OI)(CI)F',
    `schtasks /create /tn Yardmaster /xml ${path} /f`,
    'schtasks /run /tn Yardmaster',
  ])
  uninstallService(own)
  expect([existsSync(own.root + path), commands.slice(-2)]).toEqual([
    false,
    ['schtasks /end /tn Yardmaster', 'schtasks /delete /tn Yardmaster /f'],
  ])
  expect(() => installService({ ...own, executable: 'C:\\Users\\ann\\yardmaster.exe' })).toThrow('Program Files')
})

test('the service commands have help, and report unknown words', async () => {
  expect(await outcome({}, 'service', 'install', '--help')).toMatchObject({ code: 0 })
  expect((await outcome({}, 'service')).err).toEndWith('service needs a subcommand; see --help')
  expect((await outcome({}, 'service', 'remove')).err).toBe('There is no command "service remove"; see --help')
})
