/** Origin of the program in tests of single sign-on. */
export const ORIGIN = 'http://localhost'

type User = { username: string; role: string; first_name: string | null; email: string | null }

/** A browser with its own cookies, which follows redirects between the program and the provider. */
export function signOnBrowser(handle: (request: Request) => Response | Promise<Response>) {
  const jars = new Map<string, Map<string, string>>()
  const open = async (url: string): Promise<Response> => {
    const { origin } = new URL(url)
    const jar = jars.get(origin) ?? new Map<string, string>()
    jars.set(origin, jar)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const request = new Request(url, { headers: { cookie }, redirect: 'manual' })
    const response = origin === ORIGIN ? await handle(request) : await fetch(request)
    for (const text of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(text) || value === '') jar.delete(name)
      else jar.set(name, value)
    }
    return response
  }
  /** Follows redirects until a page of the program, and returns its path. `stopAt` returns the URL that contains it. */
  const follow = async (path: string, stopAt?: string): Promise<string> => {
    let url = ORIGIN + path
    for (let hops = 0; hops < 15; hops++) {
      if (stopAt && url.includes(stopAt)) return url
      const { origin, pathname, search } = new URL(url)
      if (origin === ORIGIN && !pathname.startsWith('/api/auth/oidc')) return pathname + search
      const response = await open(url)
      const to = response.headers.get('location')
      if (!to) return `${response.status} ${await response.text()}`
      url = new URL(to, url).href
    }
    throw new Error('Too many redirects')
  }
  const verify = async () => (await (await open(`${ORIGIN}/api/auth/verify`)).json()) as { data?: { user: User } }
  return { open, follow, verify, forget: (origin: string) => jars.delete(origin), jars }
}
