import type { Config } from '../../platform/config'
import { StartError } from '../../platform/start-error'

const TIMEOUT_MS = 5000

export function localUrl({ host, port, tls }: Config): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host
  return `${tls ? 'https' : 'http'}://${name}:${port}`
}

/** Checks that the running server and its database respond. */
export async function checkHealth(config: Config): Promise<string> {
  if (config.port === 0) throw new StartError('PORT: set the port that the server listens on')
  const url = `${localUrl(config)}/readyz`
  const answer = await fetch(url, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
    // Skip certificate verification. The certificate is for the public host name and not for this local address.
    tls: { rejectUnauthorized: false },
  }).catch((error: Error) => {
    throw new StartError(`Nothing answers at ${url}: ${error.message}`)
  })
  const { status } = (await answer.json().catch(() => ({}))) as { status?: string }
  if (!answer.ok) throw new StartError(`The program at ${url} is not ready: ${status ?? answer.status}`)
  return `The program at ${url} is ready`
}
