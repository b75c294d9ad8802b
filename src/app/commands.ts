import { Command, CommanderError } from 'commander'
import { isDatabaseDamaged, reasonOf } from '../../db/client'
import { PRODUCT } from '../../db/vocabulary'
import type { Assets } from '../platform/assets'
import { businessClock } from '../platform/clock'
import { StartError } from '../platform/start-error'
import { VERSION_TEXT } from '../platform/version'
import { describeConfig, readConfig, VARIABLES } from './config'
import { ConfigError } from './config-sources'
import { seedAll, serveDemo } from './demo'
import { openMigrated } from './open'
import { backupCommand, copyToCommand, exportCommand, importCommand, restoreCommand } from './operator/backup'
import { createAdmin, resetFactorCommand, resetPasswordCommand, unlockCommand } from './operator/commands'
import { diagnose } from './operator/doctor'
import { findingLine } from './operator/findings'
import { checkHealth } from './operator/health'
import { mailTest } from './operator/mail-test'
import { rollbackCommand } from './operator/rollback'
import { installService, thisMachine, uninstallService } from './operator/service'
import { serve } from './server'

const HELP = ['-h, --help', 'show this help'] as const

const SETTINGS = `
Settings come from these environment variables, which docs/operating.md explains:
${VARIABLES.join(', ').replace(/(.{1,98})(?: |$)/g, '  $1\n')}`

/**
 * Runs the command that the command-line arguments name. If there are no arguments, runs `serve`.
 * If the operator can fix an error, prints it in one line and exits with code 1.
 */
export async function run(words: string[], loadAssets: () => Promise<Assets>): Promise<void> {
  try {
    const args = words.length ? words : ['serve']
    await program(args, loadAssets).parseAsync(args, { from: 'user' })
  } catch (error) {
    // Exit code 0 means that Commander has printed the requested help or version.
    if (error instanceof CommanderError && error.exitCode === 0) return
    const message = operatorMessage(error)
    if (message === null) throw error
    console.error(message)
    process.exit(1)
  }
}

/** Returns the line to print for an error. Returns null for an error that the operator cannot fix. */
function operatorMessage(error: unknown): string | null {
  if (error instanceof StartError || error instanceof ConfigError) return error.message
  if (isDatabaseDamaged(error))
    return `The database is damaged: ${reasonOf(error)}. Copy the data folder, then run "yardmaster restore FILE".`
  return null
}

/**
 * Reports invalid arguments in one line.
 * @throws StartError, or CommanderError when help or version was requested
 */
function refuse(error: CommanderError, words: string[]): never {
  if (error.exitCode === 0) throw error
  const isGrouped = ['admin', 'service'].includes(words[0] ?? '') && words.length > 1
  const [command, ...rest] = isGrouped ? [words.slice(0, 2).join(' '), ...words.slice(2)] : words
  if (error.code === 'commander.unknownCommand') throw new StartError(`There is no command "${command}"; see --help`)
  if (error.code === 'commander.help') throw new StartError(`${command} needs a subcommand; see --help`)
  const unknown = rest.find((word) => word.startsWith('-')) ?? rest.join(' ')
  if (/unknownOption|excessArguments/.test(error.code))
    throw new StartError(`${command} does not accept "${unknown}"; see --help`)
  const missingName = /'(?:--)?([\w-]+)/.exec(error.message)?.[1]
  throw new StartError(
    `${command} needs ` +
      `${error.code === 'commander.missingMandatoryOptionValue' ? '--' : 'a '}${missingName}; see --help`,
  )
}

function program(words: string[], loadAssets: () => Promise<Assets>): Command {
  const refuseCommand = (error: CommanderError) => refuse(error, words)
  const config = () => readConfig(process.env)
  const yardmaster = new Command('yardmaster')
    .description(`${PRODUCT.name} ${VERSION_TEXT}, ${PRODUCT.subtitle}`)
    .version(VERSION_TEXT, '-v, --version', 'show the version and the commit')
    .helpOption(...HELP)
    .helpCommand(false)
    .addHelpText('after', SETTINGS)
    .exitOverride(refuseCommand)
    .configureOutput({ outputError: () => {} })
  const command = (usage: string, description: string, parent = yardmaster) =>
    parent
      .command(usage)
      .description(description)
      .helpOption(...HELP)

  command('serve', 'migrate the database and start the server (default)').action(() => serve(config(), loadAssets))
  command('version', 'show the version and the commit').action(() => console.log(VERSION_TEXT))
  command('migrate', 'migrate the database and exit').action(async () => {
    const database = await openMigrated(config())
    await database.close()
    console.log('The database is up to date')
  })
  command('config', 'print the effective settings and where they come from; secrets are masked').action(() =>
    console.log(describeConfig(process.env)),
  )
  command('seed', 'fill an empty database with a sample fleet and two accounts')
    .requiredOption('--demo', 'load the sample fleet')
    .action(async () => {
      const database = await openMigrated(config())
      await seedAll(database.db, businessClock(config().timeZone).today()).finally(() => database.close())
    })
  command(
    'create-admin <name>',
    'create an administrator or promote an existing account; prints the new password once',
  ).action(async (name: string) => console.log(await createAdmin(config(), name)))
  const admin = command('admin', 'help users who cannot sign in; works while the server is running').helpCommand(false)
  command('reset-password <name>', 'give an account a temporary password, printed once', admin).action(
    async (name: string) => console.log(await resetPasswordCommand(config(), name)),
  )
  command('unlock <name>', 'clear the failed sign-ins of an account', admin).action(async (name: string) =>
    console.log(await unlockCommand(config(), name)),
  )
  command('reset-second-factor <name>', 'turn off the two-factor authentication of an account', admin).action(
    async (name: string) => console.log(await resetFactorCommand(config(), name)),
  )
  command(
    'doctor',
    'check database, data folder, disk, clock, mail, TLS and proxy; prints one line per check, with a fix',
  )
    .option('--url <url>', 'public address, to check the reverse proxy')
    .action(async ({ url }: { url?: string }) => {
      const findings = await diagnose(config(), url)
      console.log(findings.map(findingLine).join('\n'))
      if (findings.some(({ state }) => state === 'fail')) process.exitCode = 1
    })
  command('mail-test <address>', 'send a test message').action(async (address: string) =>
    console.log(await mailTest(config(), address)),
  )
  command('health', 'exit with 0 if the server on PORT is ready (for container health checks)').action(async () =>
    console.log(await checkHealth(config())),
  )
  command('demo', 'start a server with a temporary sample fleet').action(() => serveDemo(config(), loadAssets))
  command('backup [file]', 'write a full backup to a new file; works while the server is running').action(
    async (file?: string) => console.log(await backupCommand(config(), file)),
  )
  command('restore <file>', 'restore a backup into an empty database')
    .option('--overwrite', 'replace everything in a database that is not empty')
    .action(async (file: string, { overwrite = false }: { overwrite?: boolean }) =>
      console.log(await restoreCommand(config(), file, overwrite)),
    )
  command(
    'export [file]',
    'write all records as CSV and all documents to a zip file; works while the server is running',
  ).action(async (file?: string) => console.log(await exportCommand(config(), file)))
  command('import <file>', 'load an export into an empty database').action(async (file: string) =>
    console.log(await importCommand(config(), file)),
  )
  command(
    'rollback',
    'restore the database as it was before an update; run this command with the version from before the update',
  ).action(async () => console.log(await rollbackCommand(config())))
  command('copy-to [database-url]', 'copy all data to a Postgres server and verify the copy')
    .option('--url-file <file>', 'read the address from a file, because other accounts can see arguments')
    .action(async (url: string | undefined, { urlFile }: { urlFile?: string }) =>
      console.log(await copyToCommand(config(), { url, file: urlFile })),
    )
  const service = command('service', 'run the program at each start of the computer').helpCommand(false)
  command('install', 'install and start a service of systemd, launchd or Windows', service).action(() =>
    console.log(installService(thisMachine())),
  )
  command('uninstall', 'stop and remove the service; the data stays', service).action(() =>
    console.log(uninstallService(thisMachine())),
  )
  return yardmaster
}
