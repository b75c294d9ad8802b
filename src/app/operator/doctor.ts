import { existsSync, statfsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { openServer } from '../../../db/server'
import { IdentityProvider } from '../../platform/auth/identity-provider'
import type { Config } from '../../platform/config'
import { checkBucket } from '../../platform/file-store'
import { scan } from '../../platform/http/scan-files'
import { checkMailServer } from '../../platform/mail'
import { MAX_LAG_SECONDS, replicaLag } from '../../platform/replica'
import { folderProblem, hasDatabase } from '../data-folder'
import { withDatabase } from '../open'
import { differenceText } from '../time-zone'
import { askServer } from './control'
import { checkCertificate, checkEncryption } from './encryption'
import { type Finding, fail, ok, reason, warn } from './findings'
import { type Inspection, inspectDatabase } from './inspect'

const CLOCK_TOLERANCE_SECONDS = 5
const MB = 1024 * 1024

async function checkDatabase(config: Config): Promise<Finding[]> {
  if (!config.databaseUrl && !hasDatabase(config))
    return [
      warn(
        'database',
        `no database in ${resolve(config.dataDir)}`,
        'The server creates the database when it starts for the first time.',
      ),
    ]
  let inspection: Inspection
  try {
    inspection = await withDatabase(
      config,
      (database) => inspectDatabase(database, config.timeZone),
      () => askServer(config.dataDir, 'inspect', {}),
    )
  } catch (error) {
    return [fail('database', reason(error), 'See "If the program does not start" in docs/operating.md.')]
  }
  const { engine, version, pending_migrations: pending, clock_seconds_ahead: ahead, time_zone_differs_on } = inspection
  const { table_count, unreadable_tables, unknown_migration: newer } = inspection
  const name = engine === 'embedded' ? 'embedded' : 'server'
  return [
    newer !== null
      ? warn(
          'database',
          `${name}, Postgres ${version}, updated by a newer version of Yardmaster (migration ${newer})`,
          'If this version does not start, see "Update and roll back" in docs/operating.md.',
        )
      : pending > 0
        ? warn(
            'database',
            `${name}, Postgres ${version}, ${pending} migrations behind`,
            'The database is updated the next time the server starts.',
          )
        : ok('database', `${name}, Postgres ${version}, up to date`),
    unreadable_tables.length > 0
      ? fail('tables', `cannot be read: ${unreadable_tables.join(', ')}`, 'Restore a backup.')
      : ok('tables', `${table_count} are readable`),
    Math.abs(ahead) > CLOCK_TOLERANCE_SECONDS
      ? fail(
          'clock',
          `the database is ${ahead} s ahead of this machine`,
          'Synchronize the clocks of the database server and of this machine with NTP.',
        )
      : ok('clock', `in sync with the database; business time zone ${config.timeZone}`),
    ...(time_zone_differs_on
      ? [
          warn(
            'time zone',
            differenceText(config.timeZone, time_zone_differs_on),
            'Update the program or the database, whichever has the older time zone data.',
          ),
        ]
      : []),
  ]
}

async function checkReplica({ databaseUrl, reportsDatabaseUrl }: Config): Promise<Finding[]> {
  if (!databaseUrl || !reportsDatabaseUrl) return []
  const [primary, replica] = [openServer(databaseUrl), openServer(reportsDatabaseUrl, { role: 'replica' })]
  try {
    const lag = await replicaLag(primary, replica)
    const text = Number.isFinite(lag) ? `${Math.round(lag)} s behind the database` : 'has no changes yet'
    return [
      lag <= MAX_LAG_SECONDS
        ? ok('replica', text)
        : warn('replica', text, 'Check the replication. Until it works again, reports use the main database.'),
    ]
  } catch (error) {
    return [fail('replica', reason(error), 'Check REPORTS_DATABASE_URL: address, user, password and replication.')]
  } finally {
    await Promise.all([primary.close(), replica.close()])
  }
}

function checkFolder(config: Config): Finding[] {
  const folder = resolve(config.dataDir)
  if (!existsSync(folder))
    return [
      warn('folder', `${folder} does not exist`, 'The server creates the folder when it starts for the first time.'),
    ]
  const problem = folderProblem(config)
  if (problem)
    return [
      fail('folder', problem.replace(/^DATA_DIR: /, ''), 'The server runs read-only until this problem is fixed.'),
    ]
  const isOpen = process.platform !== 'win32' && (statSync(folder).mode & 0o077) !== 0
  return [
    isOpen
      ? warn('folder', `${folder} can be read by other accounts`, `Run chmod 700 ${folder}.`)
      : ok('folder', `${folder} is writable, and private to its owner`),
  ]
}

function checkDisk(config: Config): Finding[] {
  const folder = resolve(config.dataDir)
  if (!existsSync(folder)) return []
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  const text = `${Math.floor(free / MB)} MB free, reserve ${config.minFreeBytes / MB} MB (MIN_FREE_MB)`
  return [
    free < config.minFreeBytes
      ? fail('disk', text, 'Free some disk space. Until then, the server refuses changes.')
      : ok('disk', text),
  ]
}

async function checkMail({ mail }: Config): Promise<Finding[]> {
  if (!mail) return [ok('mail', 'not configured (SMTP_URL), so no mail is sent')]
  const { host } = new URL(mail.url)
  try {
    await checkMailServer(mail)
    return [ok('mail', `${host} accepts mail from ${mail.from}`)]
  } catch (error) {
    return [fail('mail', `${host}: ${reason(error)}`, 'Check SMTP_URL: host, port, user and password.')]
  }
}

async function checkFiles(config: Config): Promise<Finding[]> {
  if (!config.s3Url) return []
  const { host, pathname } = new URL(config.s3Url)
  try {
    await checkBucket(config)
    return [ok('files', `the bucket ${host}${pathname} is writable`)]
  } catch (error) {
    return [fail('files', `${host}${pathname}: ${reason(error)}`, 'Check S3_URL: keys, host, bucket and region.')]
  }
}

async function checkProvider({ oidc }: Config): Promise<Finding[]> {
  if (!oidc) return [ok('sign-on', 'not configured (OIDC_ISSUER), so everybody signs in with a password')]
  try {
    await new IdentityProvider(oidc).check()
    return [ok('sign-on', `${oidc.issuer} answers`)]
  } catch (error) {
    return [
      fail(
        'sign-on',
        `${oidc.issuer}: ${reason(error)}`,
        'Check OIDC_ISSUER, the network and the TLS certificate of the provider.',
      ),
    ]
  }
}

async function checkScanner({ uploadScanner }: Config): Promise<Finding[]> {
  if (!uploadScanner)
    return [warn('scanner', 'uploads are not scanned', 'Set UPLOAD_SCANNER, for example to clamdscan --no-summary -.')]
  const code = await scan(uploadScanner, new Blob(['unit_number,location\n']))
  if (code === 0) return [ok('scanner', `${uploadScanner[0]} accepts a harmless file`)]
  return [
    fail(
      'scanner',
      `${uploadScanner[0]}: exit code ${code ?? 'none'}`,
      'Check UPLOAD_SCANNER. Uploads fail until the scanner works.',
    ),
  ]
}

/**
 * Checks that the reverse proxy passes on the public host name. Without this name, the server refuses every form.
 * The check sends a request to the public address `url`, with the headers that a browser sends with a form. If `url` is
 * undefined, only the settings are checked.
 */
async function checkProxy({ trustProxy, host }: Config, url: string | undefined): Promise<Finding[]> {
  if (!url) {
    if (trustProxy && !['127.0.0.1', '::1', 'localhost'].includes(host))
      return [
        warn('proxy', `TRUST_PROXY is on and HOST is ${host}`, 'Make sure that only the proxy can reach Yardmaster.'),
      ]
    return [ok('proxy', `TRUST_PROXY is ${trustProxy ? 'on' : 'off'}; test the public address with --url`)]
  }
  const origin = URL.canParse(url) ? new URL(url).origin : 'null'
  try {
    const { status } = await fetch(`${origin}/api/auth/login`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: '{}',
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    })
    if (status === 422) return [ok('proxy', `forms from ${origin} are accepted`)]
    const remedy = 'Set TRUST_PROXY=on, and configure the proxy to send X-Forwarded-Host, -Proto and -For.'
    return [fail('proxy', `forms from ${origin} are refused with ${status}`, remedy)]
  } catch (error) {
    return [
      fail('proxy', `${origin}: ${reason(error)}`, 'Check the public address, the TLS certificate and the proxy.'),
    ]
  }
}

export async function diagnose(config: Config, url?: string): Promise<Finding[]> {
  return [
    ...(await checkDatabase(config)),
    ...(await checkReplica(config)),
    ...checkFolder(config),
    ...checkDisk(config),
    ...(await checkMail(config)),
    ...(await checkFiles(config)),
    ...(await checkProvider(config)),
    ...(await checkScanner(config)),
    ...checkEncryption(config),
    ...checkCertificate(config),
    ...(await checkProxy(config, url)),
  ]
}
