import type { AppContext } from '../context'
import { Refusal } from '../refusals'
import { requestId } from './request-log'

const TIMEOUT_MS = 60_000

/**
 * Scans each uploaded file for viruses with the command in `UPLOAD_SCANNER`.
 * The command reads the file from standard input. Exit code 0 means clean, and 1 means infected. Any other code means
 * that the scan has failed. Infected and unscanned files are refused.
 * @param checkAgain checks before each file that the user is still signed in
 * @throws Refusal (422) when a file is infected, Refusal (503) when the scanner fails
 * @throws Refusal (400) when the client has disconnected, and the errors of `checkAgain`
 */
export async function scanFiles(
  { config, log }: AppContext,
  request: Request,
  fields: Record<string, unknown>,
  checkAgain?: () => Promise<unknown>,
): Promise<void> {
  if (!config.uploadScanner) return
  for (const file of Object.values(fields).flat()) {
    if (!(file instanceof Blob)) continue
    if (request.signal.aborted)
      throw new Refusal(400, 'The request was cut off before all of it arrived. Send it again.')
    await checkAgain?.()
    const code = await scan(config.uploadScanner, file)
    if (code === 0) continue
    log('warn', code === 1 ? 'the virus scanner refused a file' : 'the virus scanner failed', {
      id: requestId(request),
      file: file instanceof File ? file.name.slice(0, 200) : '',
      code,
    })
    if (code === 1) throw new Refusal(422, 'The virus scanner refused this file')
    throw new Refusal(503, 'The virus scanner is not working. Try again later, or tell your administrator.')
  }
}

/** @returns the exit code, or null if the scanner cannot start or times out */
export async function scan(command: string[], file: Blob): Promise<number | null> {
  try {
    const child = Bun.spawn(command, { stdin: file, stdout: 'ignore', stderr: 'ignore', timeout: TIMEOUT_MS })
    const code = await child.exited
    return child.signalCode ? null : code
  } catch {
    return null
  }
}
