import type { ResultCardProps } from '../views/files/result-card'
import { goToLogin, logRefusal } from './call'

const SILENCE_LIMIT_MS = 120_000

type UploadAnswer = { ok: boolean; message: string; result: ResultCardProps | null }

/** Sends a file and tells how much of it has gone; `fetch` cannot say. */
export function upload(path: string, fields: { file: File; data_type: string }, onProgress: (percent: number) => void): Promise<UploadAnswer> {
  const form = new FormData()
  form.set('data_type', fields.data_type)
  form.set('file', fields.file)
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open('POST', path)
    request.timeout = SILENCE_LIMIT_MS
    request.responseType = 'json'
    request.upload.onprogress = (event) => onProgress(event.total ? Math.round((event.loaded / event.total) * 100) : 0)
    request.onload = () => {
      const body = request.response as (ResultCardProps & { success?: boolean; message?: string }) | null
      const ok = request.status === 200 && body?.success === true
      if (request.status === 401) goToLogin()
      else if (!ok) logRefusal(request.status, body?.message ?? '')
      resolve({ ok, message: body?.message ?? '', result: ok ? body : null })
    }
    request.onerror = request.ontimeout = () => {
      console.warn('Network error')
      resolve({ ok: false, message: '', result: null })
    }
    request.send(form)
  })
}
