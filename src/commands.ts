import { resolve } from 'node:path'
import { PRODUCT } from '../db/vocabulary'
import type { Assets } from './assets'
import { backupCommand, copyToCommand, restoreCommand } from './backup/commands'
import { businessClock } from './clock'
import { ConfigError, readConfig } from './config'
import { ensureAdmin, seedAll, serveDemo } from './demo'
import { hasDatabase, openMigrated } from './open'
import { serve } from './server'
import { StartError } from './start-error'

const HELP = `${PRODUCT.name} ${PRODUCT.version}, ${PRODUCT.subtitle}

Usage: yardmaster [command]

  serve      migrate the database and serve (default)
  migrate    migrate the database and stop
  seed --demo
             fill an empty database with a sample fleet and two accounts
  create-admin NAME
             make an administrator, or give one a new password; it is printed once
  demo       serve a throw-away sample fleet
  backup [FILE]
             write everything to one new file, also while the program serves
  restore FILE [--overwrite]
             fill an empty database from a backup, or replace everything in one
  copy-to DATABASE_URL
             copy everything into a Postgres server, and compare the two
  --help     this text
  --version  the version

Settings come from the environment: PORT, HOST, DATABASE_URL, DATA_DIR, ADMIN_PASSWORD, JWT_SECRET,
BUSINESS_TIME_ZONE, MAX_UPLOAD_MB, MIN_FREE_MB, TRUST_PROXY, TLS_CERT, TLS_KEY, SMTP_URL, SMTP_FROM,
LOG_LEVEL, SLOW_QUERY_MS. The README explains them.`

const OPTIONS = new Set(['--demo', '--overwrite'])

/** Runs one command. Problems that an operator can mend end in one line and exit code 1. */
export async function run(words: string[], loadAssets: () => Promise<Assets>): Promise<void> {
  try {
    await perform(words, loadAssets)
  } catch (error) {
    if (!(error instanceof StartError) && !(error instanceof ConfigError)) throw error
    console.error(error.message)
    process.exit(1)
  }
}

async function perform([command = 'serve', ...rest]: string[], loadAssets: () => Promise<Assets>) {
  if (rest.includes('--help')) return console.log(HELP)
  const words = rest.join(' ')
  const unknown = rest.find((word) => word.startsWith('-') && !OPTIONS.has(word))
  if (unknown) throw new StartError(`${command} takes no "${unknown}"; see --help`)
  const takes: Record<string, boolean> = {
    seed: words === '--demo',
    'create-admin': rest.length === 1,
    backup: rest.length === 1,
    restore: rest.length > 0,
    'copy-to': rest.length === 1,
  }
  if (rest.length && !takes[command]) throw new StartError(`${command} takes no "${words}"; see --help`)
  switch (command) {
    case 'serve':
      return serve(readConfig(process.env), loadAssets)
    case 'migrate': {
      const database = await openMigrated(readConfig(process.env))
      await database.close()
      return console.log('The database is up to date')
    }
    case 'seed': {
      if (words !== '--demo') throw new StartError('seed takes --demo; see --help')
      const config = readConfig(process.env)
      const database = await openMigrated(config)
      await seedAll(database.db, businessClock(config.timeZone).today()).finally(() => database.close())
      return
    }
    case 'create-admin': {
      const [name] = rest
      if (!name) throw new StartError('create-admin needs a username; see --help')
      const config = readConfig(process.env)
      if (!config.databaseUrl && !hasDatabase(config))
        console.log(`There was no database in ${resolve(config.dataDir)}; a new one is made`)
      const database = await openMigrated(config)
      const password = await ensureAdmin(database.db, name).finally(() => database.close())
      return console.log(`Administrator: ${name}, password: ${password} (shown only now)`)
    }
    case 'backup':
      return console.log(await backupCommand(readConfig(process.env), rest[0]))
    case 'restore':
      return console.log(await restoreCommand(readConfig(process.env), rest))
    case 'copy-to':
      return console.log(await copyToCommand(readConfig(process.env), rest[0] ?? ''))
    case 'demo':
      return serveDemo(readConfig(process.env), loadAssets)
    case '--help':
      return console.log(HELP)
    case '--version':
      return console.log(PRODUCT.version)
    default:
      throw new StartError(`There is no command "${command}"; see --help`)
  }
}
