import * as client from 'openid-client'
import type { OidcConfig } from '../config'

/** Claims of a person that sign-in uses. `username` is undefined if the provider sends none. */
export type Person = {
  issuer: string
  subject: string
  username: string | undefined
  first_name: string | null
  last_name: string | null
  email: string | null
  groups: string[]
}

/** Values of one sign-in that must not leave the browser and the server. */
export type SignOnChecks = { state: string; nonce: string; verifier: string }

/** The provider cannot be reached or does not work. */
export class ProviderAway extends Error {}
/** The provider or this program refuses the sign-in, for example because it was cancelled, repeated or forged. */
export class SignOnRefused extends Error {}

const TIMEOUT_SECONDS = 5
/** Difference between the clocks of provider and program that is tolerated. */
const CLOCK_TOLERANCE_SECONDS = 30
const DISCOVERY_MS = 24 * 60 * 60 * 1000
/** Maximum age of the provider's own sign-in when it confirms a sensitive change. */
const CONFIRMED_SECONDS = 300

async function discover({ issuer, clientId, clientSecret }: OidcConfig): Promise<client.Configuration> {
  const options = {
    timeout: TIMEOUT_SECONDS,
    execute: issuer.startsWith('http:') ? [client.allowInsecureRequests] : [],
  }
  const metadata = { [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS }
  const first = await client.discovery(
    new URL(issuer),
    clientId,
    { ...metadata, client_secret: clientSecret },
    undefined,
    options,
  )
  const methods = first.serverMetadata().token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const authentication = methods.includes('client_secret_post')
    ? client.ClientSecretPost(clientSecret)
    : client.ClientSecretBasic(clientSecret)
  const configuration = new client.Configuration(first.serverMetadata(), clientId, metadata, authentication)
  configuration.timeout = TIMEOUT_SECONDS
  for (const apply of options.execute) apply(configuration)
  // Also checks signatures of ID tokens that arrive over TLS. The keys are loaded again when a new one signs.
  client.enableNonRepudiationChecks(configuration)
  return configuration
}

const isRefusal = (error: unknown) =>
  error instanceof client.AuthorizationResponseError ||
  error instanceof client.ResponseBodyError ||
  error instanceof client.ClientError

/** An OpenID Connect provider. Loads its metadata at the first use and once a day. */
export class IdentityProvider {
  #discovered: { at: number; configuration: Promise<client.Configuration> } | undefined

  constructor(readonly config: OidcConfig) {}

  /** @throws ProviderAway */
  async #configuration(): Promise<client.Configuration> {
    if (!this.#discovered || Date.now() - this.#discovered.at > DISCOVERY_MS)
      this.#discovered = { at: Date.now(), configuration: discover(this.config) }
    try {
      return await this.#discovered.configuration
    } catch (error) {
      this.#discovered = undefined
      throw new ProviderAway('The provider cannot be reached', { cause: error })
    }
  }

  /** Checks that the provider can be reached. @throws ProviderAway */
  async check(): Promise<void> {
    await this.#configuration()
  }

  /**
   * Starts a sign-in.
   * @param isConfirmation makes the provider ask for the credentials again
   * @returns the provider's page, and the values with which `finish` checks the response
   * @throws ProviderAway
   */
  async begin(redirectUri: string, isConfirmation: boolean): Promise<{ url: URL; checks: SignOnChecks }> {
    const configuration = await this.#configuration()
    const checks = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    }
    const hasGroupScope = configuration.serverMetadata().scopes_supported?.includes('groups') ?? false
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: `openid profile email${this.config.adminGroup && hasGroupScope ? ' groups' : ''}`,
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
      code_challenge_method: 'S256',
      ...(isConfirmation ? { prompt: 'login', max_age: '0' } : {}),
    })
    return { url, checks }
  }

  /**
   * Exchanges the code in the provider's response for the person's claims.
   * @throws SignOnRefused, ProviderAway
   */
  async finish(response: URL, checks: SignOnChecks, isConfirmation: boolean): Promise<Person> {
    const configuration = await this.#configuration()
    try {
      const tokens = await client.authorizationCodeGrant(configuration, response, {
        expectedState: checks.state,
        expectedNonce: checks.nonce,
        pkceCodeVerifier: checks.verifier,
        idTokenExpected: true,
        ...(isConfirmation ? { maxAge: CONFIRMED_SECONDS } : {}),
      })
      const claims = tokens.claims()
      if (!claims) throw new SignOnRefused('The provider sent no ID token')
      const { userinfo_endpoint } = configuration.serverMetadata()
      const more = userinfo_endpoint ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {}
      return personOf(claims.iss, claims.sub, { ...claims, ...more })
    } catch (error) {
      if (isRefusal(error)) throw new SignOnRefused(reasonOf(error), { cause: error })
      throw error instanceof SignOnRefused ? error : new ProviderAway('The provider does not work', { cause: error })
    }
  }
}

const reasonOf = (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error))

const textOf = (value: unknown, limit: number) =>
  typeof value === 'string' && value.trim() ? value.trim().slice(0, limit).toWellFormed() : null

function personOf(issuer: string, subject: string, claims: Record<string, unknown>): Person {
  const email = textOf(claims.email, 100)
  const isVerified = claims.email_verified === true
  return {
    issuer,
    subject,
    username: textOf(claims.preferred_username, 50) ?? (isVerified ? (email ?? undefined) : undefined),
    first_name: textOf(claims.given_name, 50),
    last_name: textOf(claims.family_name, 50),
    email,
    groups: Array.isArray(claims.groups) ? claims.groups.filter((group) => typeof group === 'string') : [],
  }
}
