import type { Elysia } from 'elysia'
import { Window } from 'happy-dom'
import { tokens } from '../../src/platform/auth/admission'
import type { AppContext } from '../../src/platform/context'

const ORIGIN = 'http://localhost'

type Fields = Record<string, unknown>

/** An answer of the JSON API. */
export type Told = {
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

/** An import as the API tells of it. */
export type ImportTold = {
  id: number
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
    dates: { field: string; samples: string[]; rows: number }[]
    names: { kind: string; name: string; rows: number }[]
    fields: (string | null)[]
  }
  undo: { removed: number; restored: number; kept: { id: number; label: string }[] } | null
}

/** An answer of a page. */
export type Seen = {
  status: number
  text: string
  html: string
  find: (selector: string) => string[]
  location: string | null
  toast: string | null
  /** Where the message's Undo leads. */
  undo: string | null
  headers: Headers
}

/** Someone who talks to the program through its routes: a browser for pages, an integration for the API. */
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

  /** Calls the JSON API with a bearer token. */
  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Told> {
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

  /** Sends a file to the upload call. */
  async upload(data_type: string, name: string, content: string | Uint8Array, more: Fields = {}): Promise<Told> {
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

  /** Begins an import and waits until it needs somebody or is over. */
  async begin(data_type: string, name: string, content: string | Uint8Array, more: Fields = {}): Promise<ImportTold> {
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

  /** An import once it needs somebody or is over. */
  async settled(id: number): Promise<ImportTold> {
    for (;;) {
      const { body } = await this.get(`/files/${id}`)
      const upload = body.data as ImportTold
      if (!upload || !['reading', 'checking', 'writing', 'undoing'].includes(upload.status)) return upload
      await Bun.sleep(5)
    }
  }

  async cookieHeaders(): Promise<Record<string, string>> {
    const token = await this.token()
    return token ? { cookie: `yardmaster_session=${token}` } : {}
  }

  /** Opens a page as a browser does. */
  async open(path: string, headers: Record<string, string> = {}): Promise<Seen> {
    return seen(await this.request(path, { headers: { ...(await this.cookieHeaders()), ...headers } }))
  }

  /** Posts a form as a browser does, from one of our own pages. */
  async submit(path: string, fields: Fields, headers: Record<string, string> = {}): Promise<Seen> {
    const body = new URLSearchParams(
      Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)])),
    )
    return seen(
      await this.request(path, {
        method: 'POST',
        body,
        headers: { origin: ORIGIN, ...(await this.cookieHeaders()), ...headers },
      }),
    )
  }

  /** Posts a form, and saves in spite of the warnings that come back with it. */
  async submitAnyway(path: string, fields: Fields): Promise<Seen> {
    const first = await this.submit(path, fields)
    const warnings_seen = /name="warnings_seen" value="([^"]*)"/.exec(first.html)?.[1]
    return warnings_seen ? this.submit(path, { ...fields, warnings_seen }) : first
  }
}

export async function seen(response: Response): Promise<Seen> {
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

/** The words of a message; a mark says that they tell of a failure. */
function toastText(cookie: string): string {
  const [tone, text = ''] = cookie.split('\n')
  return tone === 'danger' ? `!${text}` : text
}
