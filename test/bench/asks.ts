import { measure, type Round } from './measure'

/** Accept-Encoding of browsers, and of integrations without compression. */
export const [BROWSER, PLAIN] = ['gzip, deflate', 'identity']

export const ROUND_MS = 2500
export const PASSWORD = 'Saguaro42'

export type Server = { url: string; child: { pid: number } }
type Ask = () => Promise<Round>

const post = (body: unknown, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', 'accept-encoding': PLAIN, ...headers },
  body: JSON.stringify(body),
})

export async function signIn({ url }: Server, username = 'admin'): Promise<string> {
  const login = await fetch(`${url}/api/auth/login`, post({ username, password: PASSWORD }))
  return ((await login.json()) as { data: { token: string } }).data.token
}

/** Functions that repeat one request to a server for a round. */
export const repeatRequests = (server: Server, clients: number) => {
  const { url, child } = server
  const again =
    (ask: (n: number) => Promise<Response>): Ask =>
    () =>
      measure(child.pid, { ms: ROUND_MS, clients }, ask)
  return {
    plain: (path: string, encoding: string, headersOf = (_: number): Record<string, string> => ({})) =>
      again((n) => fetch(url + path, { headers: { 'accept-encoding': encoding, ...headersOf(n) } })),
    /** Each request toggles the status of the next transport. */
    changes: (ids: number[], path: (id: number) => string, tokenOf = (_: number) => '') =>
      again((n) =>
        fetch(url + path(ids[n % ids.length] as number), {
          ...post(
            { status: Math.floor(n / ids.length) % 2 ? 'In Transit' : 'Vehicle Not Ready' },
            { authorization: `Bearer ${tokenOf(n)}` },
          ),
          method: 'PATCH',
        }),
      ),
    /** Alternates accounts. Ten concurrent sign-ins of one account look like password guessing. */
    signIns: (path: string, usernames: string[]) =>
      again((n) => fetch(url + path, post({ username: usernames[n % usernames.length], password: PASSWORD }))),
  }
}

/**
 * Sends the requests of several accounts in turn. With one account, its requests would wait for each other, because the
 * server runs only a few requests of an account at a time.
 */
export const repeatRequestsAs = (server: Server, clients: number, tokens: string[]) => {
  const { plain, changes } = repeatRequests(server, clients)
  const tokenOf = (n: number) => tokens[n % tokens.length] as string
  return {
    page: (path: string, encoding = BROWSER) =>
      plain(path, encoding, (n) => ({ cookie: `yardmaster_session=${tokenOf(n)}` })),
    call: (path: string, encoding = PLAIN) => plain(path, encoding, (n) => ({ authorization: `Bearer ${tokenOf(n)}` })),
    changes: (ids: number[]) => changes(ids, (id) => `/api/transports/${id}/status`, tokenOf),
  }
}

/** Creates accounts, and signs them in. */
export async function makePeople(server: Server, count: number): Promise<{ people: string[]; tokens: string[] }> {
  const token = await signIn(server)
  const names = Array.from({ length: count }, (_, n) => `clerk${n}`)
  for (const username of names) {
    const answer = await fetch(
      `${server.url}/api/users`,
      post({ username, password: PASSWORD }, { authorization: `Bearer ${token}` }),
    )
    if (!answer.ok) throw new Error(`${username}: ${answer.status}`)
  }
  const tokens: string[] = []
  for (const username of names) tokens.push(await signIn(server, username))
  return { people: names, tokens }
}
