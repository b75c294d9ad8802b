import { existsSync, readFileSync } from 'node:fs'
import { closest, distance } from 'fastest-levenshtein'

export class ConfigError extends Error {}

export type Environment = Record<string, string | undefined>

/**
 * Names of settings with secret values.
 * Instead of `NAME`, an operator can set `NAME_FILE` to the path of a file with the value.
 */
const SECRETS = [
  'DATABASE_URL',
  'REPORTS_DATABASE_URL',
  'ADMIN_PASSWORD',
  'JWT_SECRET',
  'JWT_SECRET_PREVIOUS',
  'S3_URL',
  'OIDC_CLIENT_SECRET',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'SMTP_URL',
]
export const isSecret = (name: string) => SECRETS.includes(name)

/** Returns the path of the file with the value of a secret, or null if the secret is not in a file. */
export const secretFile = (env: Environment, name: string): string | null => env[`${name}_FILE`]?.trim() || null

const DEFAULT_FILE = 'yardmaster.toml'
/**
 * Maximum number of different letters for a `did you mean …?` hint. The error about an unknown setting contains this
 * hint if a known setting is similar.
 */
const SIMILAR = 4

type Source = 'environment' | 'secret file' | 'configuration file'

/**
 * Collects the settings from the environment, secret files and the configuration file.
 * If a setting is in several sources, the source that comes first in this list is used. A setting that is in no source
 * is missing from `values`.
 * @param names the settings that the program knows
 * @throws ConfigError when a file is unreadable or invalid, or the configuration file has an unknown setting
 * @throws ConfigError when a secret file is empty, or a secret and its `NAME_FILE` are both set
 */
export function collectSettings(
  env: Environment,
  names: readonly string[],
): { values: Environment; sources: Map<string, Source> } {
  const values: Environment = { ...env }
  const sources = new Map<string, Source>()
  for (const name of names) if (env[name]?.trim()) sources.set(name, 'environment')
  for (const name of SECRETS) {
    const path = secretFile(env, name)
    if (!path) continue
    if (env[name]) throw new ConfigError(`${name} and ${name}_FILE are both set; remove one of them`)
    const value = readText(`${name}_FILE`, path).replace(/\r?\n$/, '')
    if (!value.trim()) throw new ConfigError(`${name}_FILE: the file ${path} is empty`)
    values[name] = value
    sources.set(name, 'secret file')
  }
  for (const [name, value] of Object.entries(readConfigFile(env, names)))
    if (!sources.has(name)) {
      values[name] = value
      sources.set(name, 'configuration file')
    }
  return { values, sources }
}

function readText(variable: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new ConfigError(`${variable}: the file ${path} cannot be read`)
  }
}

/**
 * Reads the configuration file. Its path is `CONFIG_FILE`, by default `yardmaster.toml` in the working directory. If
 * `CONFIG_FILE` is not set, the file is optional. In the file, the names of the settings are in lower case, such as
 * `data_dir`.
 */
function readConfigFile(env: Environment, names: readonly string[]): Record<string, string> {
  const chosen = env.CONFIG_FILE?.trim()
  const path = chosen || DEFAULT_FILE
  if (!chosen && !existsSync(path)) return {}
  const text = readText('CONFIG_FILE', path)
  let table: Record<string, unknown>
  try {
    table = Bun.TOML.parse(text) as Record<string, unknown>
  } catch {
    throw new ConfigError(`${path} is not a valid TOML file`)
  }
  const keys = names.filter((name) => name !== 'CONFIG_FILE').map((name) => name.toLowerCase())
  return Object.fromEntries(
    Object.entries(table).map(([key, value]) => {
      if (!keys.includes(key)) throw new ConfigError(`${path}: there is no setting ${key}${suggestion(key, keys)}`)
      if (!['string', 'number', 'boolean'].includes(typeof value))
        throw new ConfigError(`${path}: ${key} must be text, a number, or true or false`)
      return [key.toUpperCase(), String(value)]
    }),
  )
}

function suggestion(key: string, keys: string[]): string {
  const nearest = closest(key.toLowerCase(), keys)
  return distance(key.toLowerCase(), nearest) <= SIMILAR ? `; did you mean ${nearest}?` : ''
}
