import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { posix, win32 } from 'node:path'
import { StartError } from '../../platform/start-error'
import { ADD_USER, systemdUnit } from '../systemd-unit'
import { launchdPlist, windowsTask } from './service-files'

/** The parts of an operating system that the service commands use. Tests replace them. */
export type Machine = {
  platform: NodeJS.Platform
  /** Absolute path of the Yardmaster executable. Null if the program runs from its source code. */
  executable: string | null
  isRoot: boolean
  env: Record<string, string | undefined>
  /** Folder before all paths. Empty except in tests. */
  root: string
  run: (command: string[]) => { exitCode: number; output: string }
}

/** How an operating system runs a service. Each command is a list of words. */
type Service = {
  /** File that defines the service. */
  path: string
  content: string | Uint8Array
  /** Folder for the data and `yardmaster.toml`, which the installation creates. */
  folder: string | null
  start: string[][]
  stop: string[][]
  /** Commands after the file was deleted. */
  forget: string[][]
  /** Where the operator finds the first password, and the settings of the service. */
  logAt: string
  settingsAt: string
}

const LAUNCHD_LABEL = 'yardmaster'
const TASK = 'Yardmaster'
/** Security identifiers of Windows: system, administrators, and the account of the service. */
const [SYSTEM, ADMINISTRATORS, LOCAL_SERVICE] = ['*S-1-5-18', '*S-1-5-32-544', '*S-1-5-19']
/** Folders from which a service cannot run a program, and a folder from which it can. */
const PLACES: Partial<Record<NodeJS.Platform, [hidden: RegExp, usable: string]>> = {
  linux: [/^\/(home|root|run\/user|tmp|var\/tmp)\//, '/usr/local/bin'],
  darwin: [/^\/Users\/[^/]+\/(Desktop|Documents|Downloads)\//, '/usr/local/bin'],
  win32: [/^[a-z]:\\Users\\/i, 'C:\\Program Files\\Yardmaster'],
}
const PACKAGED_UNIT = '/lib/systemd/system/yardmaster.service'

const refuse = (message: string): never => {
  throw new StartError(`service: ${message}`)
}

function onLinux(executable: string, { root }: Machine): Service {
  if (!existsSync(`${root}/run/systemd/system`))
    refuse('this system does not run systemd. Let its service manager run "yardmaster serve"')
  if (existsSync(root + PACKAGED_UNIT)) refuse('the Debian package has installed the service already')
  return {
    path: '/etc/systemd/system/yardmaster.service',
    content: systemdUnit(executable),
    // systemd itself creates the folder of the data.
    folder: null,
    start: [
      ['sh', '-c', ADD_USER],
      ['systemctl', 'daemon-reload'],
      ['systemctl', 'enable', 'yardmaster'],
      ['systemctl', 'restart', 'yardmaster'],
    ],
    stop: [['systemctl', 'disable', '--now', 'yardmaster']],
    forget: [['systemctl', 'daemon-reload']],
    logAt: 'journalctl --unit yardmaster',
    settingsAt: '/etc/yardmaster.env',
  }
}

function onMac(executable: string, { env }: Machine): Service {
  const user = env.SUDO_USER ?? refuse('run this command with sudo. The service runs as the user who calls sudo')
  const folder = '/usr/local/var/yardmaster'
  const path = `/Library/LaunchDaemons/${LAUNCHD_LABEL}.plist`
  const log = posix.join(folder, 'yardmaster.log')
  return {
    path,
    content: launchdPlist({ label: LAUNCHD_LABEL, executable, user, folder, log }),
    folder,
    start: [
      ['chown', '-R', user, folder],
      ['chmod', '700', folder],
      ['launchctl', 'bootstrap', 'system', path],
    ],
    stop: [['launchctl', 'bootout', `system/${LAUNCHD_LABEL}`]],
    forget: [],
    logAt: log,
    settingsAt: posix.join(folder, 'yardmaster.toml'),
  }
}

function onWindows(executable: string, { env }: Machine): Service {
  const folder = win32.join(env.ProgramData ?? 'C:\\ProgramData', 'Yardmaster')
  const path = win32.join(folder, 'service.xml')
  const log = win32.join(folder, 'yardmaster.log')
  const access = [SYSTEM, ADMINISTRATORS, LOCAL_SERVICE].flatMap((account) => ['/grant:r', `${account}:(OI)(CI)F`])
  return {
    path,
    content: windowsTask({ executable, folder, log }),
    folder,
    start: [
      // By default, every user of the PC could read the data.
      ['icacls', folder, '/inheritance:r', ...access],
      ['schtasks', '/create', '/tn', TASK, '/xml', path, '/f'],
      ['schtasks', '/run', '/tn', TASK],
    ],
    stop: [
      ['schtasks', '/end', '/tn', TASK],
      ['schtasks', '/delete', '/tn', TASK, '/f'],
    ],
    forget: [],
    logAt: log,
    settingsAt: win32.join(folder, 'yardmaster.toml'),
  }
}

const SERVICES: Partial<Record<NodeJS.Platform, (executable: string, machine: Machine) => Service>> = {
  linux: onLinux,
  darwin: onMac,
  win32: onWindows,
}

function serviceOf(machine: Machine): Service {
  const { platform, executable, isRoot } = machine
  const make = SERVICES[platform] ?? refuse(`${platform} is not supported`)
  if (executable === null) return refuse('run this command with the executable of a release')
  if (platform !== 'win32' && !isRoot) refuse('run this command as root, for example with sudo')
  const [hidden, usable] = PLACES[platform] ?? []
  if (hidden?.test(executable)) refuse(`a service cannot run ${executable}. Move it to a folder such as ${usable}`)
  return make(executable, machine)
}

function runAll(commands: string[][], { platform, run }: Machine) {
  for (const command of commands) {
    const { exitCode, output } = run(command)
    if (exitCode === 0) continue
    const hint = platform === 'win32' ? '. Run this command as an administrator' : ''
    refuse(`"${command.join(' ')}" failed: ${output.trim().replace(/\s+/g, ' ')}${hint}`)
  }
}

/**
 * Lets the operating system run the program at each start of the computer, and starts it. If the service is installed
 * already, replaces and restarts it.
 * @throws StartError when the operating system refuses, with the command that failed
 */
export function installService(machine: Machine): string {
  const { path, content, folder, start, stop, logAt, settingsAt } = serviceOf(machine)
  const file = machine.root + path
  const isReplaced = existsSync(file)
  if (isReplaced) {
    for (const command of stop) machine.run(command)
    // The operator may have changed the file.
    renameSync(file, `${file}.bak`)
  }
  if (folder) mkdirSync(machine.root + folder, { recursive: true })
  writeFileSync(file, content)
  runAll(start, machine)
  return (
    (isReplaced ? `The earlier definition of the service is now ${path}.bak\n` : '') +
    `The service is installed and running. The password of the first account is in the log: ${logAt}\n` +
    `Settings: ${settingsAt}. Restart the service after a change.`
  )
}

/**
 * Stops and removes the service. The data stays.
 * @throws StartError when the service is not installed, or the operating system refuses
 */
export function uninstallService(machine: Machine): string {
  const { path, stop, forget } = serviceOf(machine)
  if (!existsSync(machine.root + path)) refuse('the service is not installed')
  runAll(stop, machine)
  rmSync(machine.root + path)
  runAll(forget, machine)
  return 'The service is removed. The data stays.'
}

/** The computer on which the program runs. */
export const thisMachine = (): Machine => ({
  platform: process.platform,
  executable: Bun.isStandaloneExecutable ? process.execPath : null,
  isRoot: process.getuid?.() === 0,
  env: process.env,
  root: '',
  run(command) {
    const { exitCode, stdout, stderr } = Bun.spawnSync(command)
    return { exitCode, output: `${stderr}${stdout}` }
  },
})
