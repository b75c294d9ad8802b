import type { Elysia } from 'elysia'
import { Window } from 'happy-dom'
import { tokens } from '../../src/platform/auth/admission'
import type { AppContext } from '../../src/platform/context'

const ORIGIN = 'http://localhost'

type Fields = Record<string, unknown>

/** A response of the JSON API. */
export type ApiResponse = {
  status: number
  body: {
    success: boolean
    message?: string
    data: never
    errors?: { field: string; message: string }[]
    meta?: Fields
  } & Fields
  headers: Headers
}

/** An import as returned by the API. */
export type ImportResponse = {
  id: number
  data_type: string
  status: string
  imported: number
  updated: number
  failed: number
  duplicates: number
  row_count: number
  message: string
  errors: { row: number; message: string }[]
  validation_errors: string[]
  defaults: Record<string, string>
  found: {
    missing: string[]
    header: string[]
    dates: { field: string; samples: string[]; rows: number; is_contradicted?: boolean }[]
    names: { kind: string; name: string; rows: number }[]
    fields: (string | null)[]
    conflicts?: string[]
    words?: { field: string; text: string; rows: number }[]
    conflict_rows?: number
    finished_rows?: number
    doubtful_rows?: number
  }
  undo: { removed: number; restored: number; kept: { id: number; label: string }[] } | null
}

/** A response with a page. */
export type PageResponse = {
  status: number
  text: string
  html: string
  find: (selector: string) => string[]
  location: string | null
  toast: string | null
  /** Address of the Undo action in the message. */
  undo: string | null
  headers: Headers
}

/** Test client: a browser for pages, an integration for the API. */
export class Visitor {
  constructor(
    readonly app: Elysia,
    readonly ctx: AppContext,
    readonly session: string | null,
  ) {}

  async token(): Promise<string | null> {
    return this.session && tokens(this.ctx).decorator.tokens.sign({ sid: this.session })
  }

  request(path: string, init: RequestInit = {}): Promise<Response> {
    return this.app.handle(new Request(ORIGIN + path, init))
  }

  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<ApiResponse> {
    const token = await this.token()
    const response = await this.request(`/api${path}`, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : { text },
    }
  }

  get = (path: string) => this.call('GET', path)
  post = (path: string, body?: unknown) => this.call('POST', path, body)
  put = (path: string, body: unknown) => this.call('PUT', path, body)
  patch = (path: string, body?: unknown) => this.call('PATCH', path, body)
  delete = (path: string) => this.call('DELETE', path)

  async upload(data_type: string, name: string, content: string | Uint8Array, more: Fields = {}): Promise<ApiResponse> {
    const form = new FormData()
    for (const [field, value] of Object.entries({ data_type, ...more })) form.set(field, String(value))
    form.set('file', new File([content as BlobPart], name))
    const response = await this.request('/api/files/upload', {
      method: 'POST',
      headers: { authorization: `Bearer ${await this.token()}` },
      body: form,
    })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }

  /** Starts an import and waits until it is finished or needs input. */
  async begin(
    data_type: string,
    name: string,
    content: string | Uint8Array,
    more: Fields = {},
  ): Promise<ImportResponse> {
    const form = new FormData()
    for (const [field, value] of Object.entries({ data_type, ...more })) form.set(field, String(value))
    form.set('file', new File([content as BlobPart], name))
    const response = await this.request('/api/files/imports', {
      method: 'POST',
      headers: { authorization: `Bearer ${await this.token()}` },
      body: form,
    })
    const { data } = (await response.json()) as { data: { id: number } }
    return this.settled(data.id)
  }

  /** Waits until an import is finished or needs input. */
  async settled(id: number): Promise<ImportResponse> {
    for (;;) {
      const { body } = await this.get(`/files/${id}`)
      const upload = body.data as ImportResponse
      if (!upload || !['reading', 'checking', 'writing', 'undoing'].includes(upload.status)) return upload
      await Bun.sleep(5)
    }
  }

  async cookieHeaders(): Promise<Record<string, string>> {
    const token = await this.token()
    return token ? { cookie: `yardmaster_session=${token}` } : {}
  }

  async open(path: string, headers: Record<string, string> = {}): Promise<PageResponse> {
    return readPage(await this.request(path, { headers: { ...(await this.cookieHeaders()), ...headers } }))
  }

  /** Posts a form like a browser on one of our pages. */
  async submit(path: string, fields: Fields, headers: Record<string, string> = {}): Promise<PageResponse> {
    const body = new URLSearchParams(
      Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)])),
    )
    return readPage(
      await this.request(path, {
        method: 'POST',
        body,
        headers: { origin: ORIGIN, ...(await this.cookieHeaders()), ...headers },
      }),
    )
  }

  /** Posts a form, then posts it again to confirm any warnings. */
  async submitAnyway(path: string, fields: Fields): Promise<PageResponse> {
    const first = await this.submit(path, fields)
    const warnings_seen = /name="warnings_seen" value="([^"]*)"/.exec(first.html)?.[1]
    return warnings_seen ? this.submit(path, { ...fields, warnings_seen }) : first
  }
}

export async function readPage(response: Response): Promise<PageResponse> {
  const html = await response.text()
  const { document } = new Window({
    settings: {
      disableJavaScriptFileLoading: true,
      disableCSSFileLoading: true,
      disableJavaScriptEvaluation: true,
    } as never,
  })
  document.write(html)
  const text = (document.body?.textContent ?? '').replace(/\s+/g, ' ').trim()
  const toast = /yardmaster_toast=([^;]*)/.exec(response.headers.getSetCookie().join('; '))?.[1]
  return {
    status: response.status,
    html,
    text,
    headers: response.headers,
    location: response.headers.get('location'),
    toast: toast === undefined ? null : toastText(decodeURIComponent(toast)),
    undo: decodeURIComponent(toast ?? '').split('\n')[2] || null,
    find: (selector) =>
      [...document.querySelectorAll(selector)].map((element) =>
        (element.textContent ?? '').replace(/\s+/g, ' ').trim(),
      ),
  }
}

/** Returns the text of a message, prefixed with `!` for a failure. */
function toastText(cookie: string): string {
  const [tone, text = ''] = cookie.split('\n')
  return tone === 'danger' ? `!${text}` : text
}
