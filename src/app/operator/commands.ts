import { resolve } from 'node:path'
import { canUsePassword } from '../../platform/auth/confirmation'
import { normalizeUsername } from '../../platform/auth/usernames'
import type { Config } from '../../platform/config'
import { StartError } from '../../platform/start-error'
import { hasDatabase, mustHaveDatabase } from '../data-folder'
import { openMigrated, withDatabase } from '../open'
import { ensureAdmin, resetAccountFactor, resetAccountPassword, unlockAccount } from './accounts'
import { askServer } from './control'

export async function createAdmin(config: Config, typed: string): Promise<string> {
  const name = normalizeUsername(typed.trim())
  if (!canUsePassword({ config }, name))
    throw new StartError(`With OIDC_ONLY, ${name} cannot use a password. Add the name to OIDC_LOCAL_ACCOUNTS first.`)
  const isNew = !config.databaseUrl && !hasDatabase(config)
  const database = await openMigrated(config)
  const { password, isUnlinked } = await ensureAdmin(database.db, name).finally(() => database.close())
  const created = isNew ? `There was no database in ${resolve(config.dataDir)}; a new one was created\n` : ''
  const unlinked = isUnlinked
    ? '\nSingle sign-on was turned off for this account. Before you turn it on again in Manage Users, ' +
      'check whose username this is at the provider'
    : ''
  return `${created}Administrator: ${name}, password: ${password} (shown only once; change it within 7 days)${unlinked}`
}

export async function resetPasswordCommand(config: Config, name: string): Promise<string> {
  mustHaveDatabase(config)
  const { username, password } = await withDatabase(
    config,
    (database) => resetAccountPassword(database, name),
    () => askServer(config.dataDir, 'reset-password', { name }),
  )
  return `Account: ${username}, temporary password: ${password} (shown only once; the next sign-in asks for a new one)`
}

export async function unlockCommand(config: Config, name: string): Promise<string> {
  mustHaveDatabase(config)
  const { username, was_locked, is_active } = await withDatabase(
    config,
    (database) => unlockAccount(database, name),
    () => askServer(config.dataDir, 'unlock', { name }),
  )
  if (!is_active) return `${username} is deactivated; an administrator can activate the account in Manage Users`
  if (!was_locked) return `${username} had no failed sign-ins`
  return `${username} can sign in again; a network with many failed sign-ins stays blocked for up to 15 minutes`
}

export async function resetFactorCommand(config: Config, name: string): Promise<string> {
  mustHaveDatabase(config)
  const { username } = await withDatabase(
    config,
    (database) => resetAccountFactor(database, name),
    () => askServer(config.dataDir, 'reset-second-factor', { name }),
  )
  return `${username} can sign in without a code`
}
