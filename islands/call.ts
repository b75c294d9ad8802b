import { BACKGROUND_HEADER } from '../src/platform/background-header'

const TIMEOUT_MS = 30_000

/** Headers of background requests. Such requests do not extend the session. */
export const BACKGROUND = { [BACKGROUND_HEADER]: '1' }

/**
 * Response of the JSON API. `status` is 0 if there was no response.
 * `warnings` is text about unusual values in a change that was saved. It follows another sentence, as in `. Text`.
 */
export type ApiResponse<Data> = { ok: boolean; status: number; message: string; data: Data | null; warnings: string }

/**
 * Session storage key about the latest change.
 * It has the value `lost` if the change was lost because the session had ended. After sign-in, a page then reports that
 * the change was not saved. It has the value `sent` until the response arrives. If the next page is the sign-in page,
 * the change was lost.
 */
export const LOST = 'yardmaster-lost'

/**
 * Goes to the sign-in page and, after sign-in, back to this page.
 * With `isChange`, a message then says that a change was not saved.
 */
export function goToLogin({ isChange = false } = {}) {
  if (isChange) sessionStorage.setItem(LOST, 'lost')
  if (location.pathname !== '/login')
    location.assign(`/login?next=${encodeURIComponent(location.pathname + location.search)}`)
}

/** Logs a failed API call in the console. The calling code shows its own message to the user. */
export function logRefusal(status: number, message: string) {
  console.warn(status === 429 ? 'Rate limit exceeded. Please try again later.' : `${status} ${message}`)
}

/**
 * Delay before a failed request is logged.
 * A page that the user is leaving closes within this time, so nothing is logged.
 */
const LEAVING_MS = 200

/** Logs a network error, unless the user is leaving the page. */
export const logNetworkError = () => setTimeout(console.warn, LEAVING_MS, 'Network error')

/** Number of changes that wait for their response. */
let unanswered = 0

const onAnswer = (response?: Response) => {
  // After 401, the next page is the sign-in page. It may open before the caller has marked the change as lost.
  if (--unanswered === 0 && response?.status !== 401) sessionStorage.removeItem(LOST)
}

/**
 * Sends a change. The user can be led to the sign-in page before the response arrives, for example by a link or by the
 * response to another request. Then a message after sign-in says that the change was not saved.
 */
export function fetchChange(path: string, init: RequestInit): Promise<Response> {
  unanswered++
  sessionStorage.setItem(LOST, 'sent')
  const request = fetch(path, init)
  request.then(onAnswer, () => setTimeout(onAnswer, LEAVING_MS))
  return request
}

/**
 * Calls the JSON API.
 * Never throws: a network error or timeout returns status 0. If the session has ended (401), goes to the sign-in page.
 * If the call was a change, a message after sign-in says that the change was not saved.
 * @param init.onSignedOut called before the page is left for the sign-in page. With this function, no message says that
 * the change was not saved, because the caller sends it again after sign-in.
 */
export async function call<Data>(
  path: string,
  init: { method?: string; body?: unknown; headers?: Record<string, string>; onSignedOut?: () => void } = {},
): Promise<ApiResponse<Data>> {
  try {
    // The caller of a change with `onSignedOut` sends it again itself.
    const send = init.body === undefined || init.onSignedOut ? fetch : fetchChange
    const response = await send(path, {
      method: init.method ?? 'GET',
      headers: {
        accept: 'application/json',
        ...init.headers,
        ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: init.body === undefined ? undefined : JSON.stringify(init.body),
      // Let the browser finish sending a change even if the user leaves the page.
      keepalive: init.body !== undefined,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const body = (await response.json().catch(() => null)) as {
      message?: string
      data?: Data
      warnings?: { message: string }[]
    } | null
    if (response.status === 401) {
      init.onSignedOut?.()
      goToLogin({ isChange: init.body !== undefined && !init.onSignedOut })
    } else if (!response.ok) logRefusal(response.status, body?.message ?? '')
    return {
      ok: response.ok,
      status: response.status,
      message: body?.message ?? '',
      data: body?.data ?? null,
      warnings: body?.warnings?.map(({ message }) => `. ${message}`).join('') ?? '',
    }
  } catch {
    logNetworkError()
    return { ok: false, status: 0, message: '', data: null, warnings: '' }
  }
}
