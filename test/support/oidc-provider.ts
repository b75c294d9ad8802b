import { createServer, type Server } from 'node:http'
import Provider from 'oidc-provider'

export type TestPerson = {
  sub: string
  preferred_username?: string
  email?: string
  email_verified?: boolean
  given_name?: string
  groups?: string[]
}

const CLIENT = { client_id: 'yardmaster', client_secret: 'a secret that only the tests know' }

/** A real OpenID Connect provider that signs `person` in without asking. */
export async function startProvider(redirectUri: string) {
  const state: { person: TestPerson } = { person: { sub: 'nobody' } }
  const server: Server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const issuer = `http://127.0.0.1:${port}`
  const provider = new Provider(issuer, {
    clients: [{ ...CLIENT, redirect_uris: [redirectUri], token_endpoint_auth_method: 'client_secret_basic' }],
    clientAuthMethods: ['client_secret_basic'],
    cookies: { keys: ['key'] },
    features: { devInteractions: { enabled: false } },
    claims: {
      openid: ['sub'],
      profile: ['preferred_username', 'given_name', 'family_name', 'groups'],
      email: ['email', 'email_verified'],
    },
    pkce: { required: () => true },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: async () => ({ ...state.person, sub }) }),
    // Grants every scope, so that no page asks for consent.
    loadExistingGrant: async (ctx) => {
      const grant = new ctx.oidc.provider.Grant({
        clientId: ctx.oidc.client?.clientId,
        accountId: ctx.oidc.session?.accountId,
      })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
  })
  const answer = provider.callback()
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return answer(request, response)
    void provider.interactionFinished(request, response, { login: { accountId: state.person.sub } })
  })
  return {
    issuer,
    state,
    config: { issuer, clientId: CLIENT.client_id, clientSecret: CLIENT.client_secret },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
