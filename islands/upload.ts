import type { UploadStatus } from '../db/vocabulary'
import type { ResultCardProps } from '../views/imports/result-card'
import { BACKGROUND, call, goToLogin, logNetworkError, logRefusal } from './call'

const SILENCE_LIMIT_MS = 120_000

export type ImportState = ResultCardProps & {
  id: number
  status: UploadStatus
  progress: number
  row_count: number
  message: string
}

export type UploadInput = { file: File; data_type: string; existing: string; commit: boolean; ask: boolean }
type StartedImport = { id: number | null; message: string }

type Answer = { status: number; body: { data?: { id: number }; message?: string } | null }

/**
 * Posts a form with `XMLHttpRequest`, because `fetch` cannot report the upload progress.
 * `status` is 0 if there was no response.
 */
export function sendWithProgress(path: string, form: FormData, onProgress: (percent: number) => void): Promise<Answer> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open('POST', path)
    request.responseType = 'json'
    // Cancel an upload only if it stops making progress. The total time has no limit, because a slow upload can take an
    // hour.
    let silence: ReturnType<typeof setTimeout> | undefined
    const restartTimer = () => {
      clearTimeout(silence)
      silence = setTimeout(() => request.abort(), SILENCE_LIMIT_MS)
    }
    restartTimer()
    request.upload.onprogress = (event) => {
      restartTimer()
      onProgress(event.total ? Math.round((event.loaded / event.total) * 100) : 0)
    }
    request.onloadend = () => clearTimeout(silence)
    request.onload = () => resolve({ status: request.status, body: request.response as Answer['body'] })
    request.onerror = request.onabort = () => {
      logNetworkError()
      resolve({ status: 0, body: null })
    }
    request.send(form)
  })
}

export async function sendFile(
  path: string,
  input: UploadInput,
  onProgress: (percent: number) => void,
): Promise<StartedImport> {
  const form = new FormData()
  for (const [name, value] of Object.entries(input)) form.set(name, value instanceof File ? value : String(value))
  const { status, body } = await sendWithProgress(path, form, onProgress)
  const id = status === 202 ? (body?.data?.id ?? null) : null
  if (status === 401) goToLogin()
  else if (id === null && status !== 0) logRefusal(status, body?.message ?? '')
  return { id, message: body?.message ?? '' }
}

const FIRST_LOOK_MS = 150
const NEXT_LOOK_MS = 500
const MAX_MISSED_LOOKS = 20

/**
 * Polls an import until it ends or waits for the user.
 * @returns null if the import can no longer be loaded
 */
export async function watchImport(path: string, onProgress: (state: ImportState) => void): Promise<ImportState | null> {
  let missed = 0
  for (let wait = FIRST_LOOK_MS; missed < MAX_MISSED_LOOKS; wait = NEXT_LOOK_MS) {
    await new Promise((resolve) => setTimeout(resolve, wait))
    const { data, status } = await call<ImportState>(path, { headers: BACKGROUND })
    if (status === 401 || status === 404) return null
    if (!data) missed++
    else if (['reading', 'checking', 'writing', 'undoing'].includes(data.status)) onProgress(data)
    else return data
  }
  return null
}
