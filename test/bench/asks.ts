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

export async function signIn({ url }: Server): Promise<string> {
  const login = await fetch(`${url}/api/auth/login`, post({ username: 'admin', password: PASSWORD }))
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
    plain: (path: string, encoding: string, headers: Record<string, string> = {}) =>
      again(() => fetch(url + path, { headers: { 'accept-encoding': encoding, ...headers } })),
    /** Each request toggles the status of the next transport. */
    changes: (ids: number[], path: (id: number) => string, token = '') =>
      again((n) =>
        fetch(url + path(ids[n % ids.length] as number), {
          ...post(
            { status: Math.floor(n / ids.length) % 2 ? 'In Transit' : 'Vehicle Not Ready' },
            { authorization: `Bearer ${token}` },
          ),
          method: 'PATCH',
        }),
      ),
    /** Alternates accounts. Ten concurrent sign-ins of one account look like password guessing. */
    signIns: (path: string, usernames: string[]) =>
      again((n) => fetch(url + path, post({ username: usernames[n % usernames.length], password: PASSWORD }))),
  }
}

export const repeatRequestsAs = (server: Server, clients: number, token: string) => {
  const { plain, changes } = repeatRequests(server, clients)
  return {
    page: (path: string, encoding = BROWSER) => plain(path, encoding, { cookie: `yardmaster_session=${token}` }),
    call: (path: string, encoding = PLAIN) => plain(path, encoding, { authorization: `Bearer ${token}` }),
    changes: (ids: number[]) => changes(ids, (id) => `/api/transports/${id}/status`, token),
  }
}

export async function makePeople({ url }: Server, token: string, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, n) => `clerk${n}`)
  for (const username of names) {
    const answer = await fetch(
      `${url}/api/users`,
      post({ username, password: PASSWORD }, { authorization: `Bearer ${token}` }),
    )
    if (!answer.ok) throw new Error(`${username}: ${answer.status}`)
  }
  return names
}
