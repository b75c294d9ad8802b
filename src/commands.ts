import { PRODUCT } from '../db/vocabulary'
import type { Assets } from './assets'
import { ConfigError, readConfig } from './config'
import { openMigrated, StartError } from './open'
import { serve } from './server'

const HELP = `${PRODUCT.name} ${PRODUCT.version}, ${PRODUCT.subtitle}

Usage: yardmaster [command]

  serve      migrate the database and serve (default)
  migrate    migrate the database and stop
  --help     this text
  --version  the version

Settings come from the environment: PORT, HOST, DATABASE_URL, DATA_DIR, ADMIN_PASSWORD, JWT_SECRET,
BUSINESS_TIME_ZONE, MAX_UPLOAD_MB, TRUST_PROXY, TLS_CERT, TLS_KEY. The README explains them.`

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
  if (rest.length) throw new StartError(`${command} takes no "${rest.join(' ')}"; see --help`)
  switch (command) {
    case 'serve':
      return serve(readConfig(process.env), loadAssets)
    case 'migrate': {
      const database = await openMigrated(readConfig(process.env))
      await database.close()
      return console.log('The database is up to date')
    }
    case '--help':
      return console.log(HELP)
    case '--version':
      return console.log(PRODUCT.version)
    default:
      throw new StartError(`There is no command "${command}"; see --help`)
  }
}
