const TIMEOUT_MS = 30_000

/** `warnings` is what the server finds odd about what it took. */
export type Answer<Data> = { ok: boolean; status: number; message: string; data: Data | null; warnings: string[] }

/** Under which it is kept that a change did not arrive, until a page says so. */
export const LOST = 'yardmaster-lost'

/** To the sign-in screen and back to this page afterwards, which then says that a change was lost. */
export function goToLogin({ isChange = false } = {}) {
  if (isChange) sessionStorage.setItem(LOST, '1')
  if (location.pathname !== '/login')
    location.assign(`/login?next=${encodeURIComponent(location.pathname + location.search)}`)
}

/** What the reader of the console learns of a refused call; the page says what its user needs to know. */
export function logRefusal(status: number, message: string) {
  console.warn(status === 429 ? 'Rate limit exceeded. Please try again later.' : `${status} ${message}`)
}

/** Calls the JSON API. Never throws: a network error is an answer with status 0. A 401 sends the browser to sign in. */
export async function call<Data>(path: string, init: { method?: string; body?: unknown } = {}): Promise<Answer<Data>> {
  try {
    const response = await fetch(path, {
      method: init.method ?? 'GET',
      headers: {
        accept: 'application/json',
        ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: init.body === undefined ? undefined : JSON.stringify(init.body),
      // A change outlives the page that sent it.
      keepalive: init.body !== undefined,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const body = (await response.json().catch(() => null)) as {
      message?: string
      data?: Data
      warnings?: { message: string }[]
    } | null
    if (response.status === 401) goToLogin({ isChange: init.body !== undefined })
    else if (!response.ok) logRefusal(response.status, body?.message ?? '')
    return {
      ok: response.ok,
      status: response.status,
      message: body?.message ?? '',
      data: body?.data ?? null,
      warnings: body?.warnings?.map(({ message }) => message) ?? [],
    }
  } catch {
    console.warn('Network error')
    return { ok: false, status: 0, message: '', data: null, warnings: [] }
  }
}
