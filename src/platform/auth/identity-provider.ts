import * as client from 'openid-client'
import type { OidcConfig } from '../config'
import { isStorable } from '../fields'
import { instantOf, type Person, personOf } from './person'

/**
 * Random values that tie the provider's response to a sign-on. Only the user's browser and this server may know them.
 */
export type SignOnChecks = { state: string; nonce: string; verifier: string }

/** Thrown when the provider cannot be reached or sends invalid responses. */
export class ProviderAway extends Error {}
/** Thrown when the provider or this program refuses a sign-on. For example, the sign-on was cancelled or forged. */
export class SignOnRefused extends Error {}

const TIMEOUT_SECONDS = 5
const CLOCK_TOLERANCE_SECONDS = 30
/**
 * Maximum age, in seconds, of the person's sign-in at the provider. The limit is sent as the parameter `max_age`. The
 * parameter also makes the provider return the time of the sign-in in the claim `auth_time`.
 */
const SIGN_IN_SECONDS = 24 * 60 * 60
const DISCOVERY_MS = 24 * 60 * 60 * 1000
/**
 * Pauses in milliseconds, so that outsiders cannot make the program send many requests to the provider. `RETRY_MS` is
 * the pause after failed loading of the metadata. Loaded metadata are used for at least `RELOAD_MS`.
 */
const RETRY_MS = 2000
const RELOAD_MS = 60_000
/** Maximum age, in seconds, of a sign-in that confirms a sensitive change. */
const CONFIRMED_SECONDS = 300

const RESPONSE_LIMIT = 1024 * 1024

async function fetchLimited(url: string, options: client.CustomFetchOptions): Promise<Response> {
  const response = await fetch(url, options as RequestInit)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > RESPONSE_LIMIT) throw new Error('The response from the sign-in provider is too large')
    chunks.push(chunk)
  }
  const { status, headers } = response
  return new Response(chunks.length ? Buffer.concat(chunks) : null, { status, headers })
}

/** Returns true for an HTTPS URL. If the issuer uses HTTP, also returns true for an HTTP URL. */
const isEndpoint = (endpoint: unknown, issuer: string) => {
  const protocol = typeof endpoint === 'string' && URL.parse(endpoint)?.protocol
  return protocol === 'https:' || (protocol === 'http:' && issuer.startsWith('http:'))
}

/** @param named issuer in the provider's metadata. Entra ID can name a placeholder such as `{tenantid}` in it. */
const otherIssuer = (named: string) =>
  new Error(
    named.includes('{')
      ? 'OIDC_ISSUER must name one tenant, and not all tenants of the provider'
      : `Set OIDC_ISSUER to ${named.slice(0, MESSAGE_LENGTH)}, which is the issuer's name at the provider`,
  )

async function discover({ issuer, clientId, clientSecret }: OidcConfig): Promise<client.Configuration> {
  const options = {
    [client.customFetch]: fetchLimited,
    timeout: TIMEOUT_SECONDS,
    execute: issuer.startsWith('http:') ? [client.allowInsecureRequests] : [],
  }
  const metadata = { [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS }
  const first = await client
    .discovery(new URL(issuer), clientId, { ...metadata, client_secret: clientSecret }, undefined, options)
    .catch((error) => {
      const named = error.cause?.body?.issuer
      throw typeof named === 'string' ? otherIssuer(named) : error
    })
  const { authorization_endpoint, token_endpoint, userinfo_endpoint, jwks_uri } = first.serverMetadata()
  // Links to people are stored with the provider's own spelling, so `OIDC_ISSUER` must have the same spelling.
  const named = first.serverMetadata().issuer
  if (named !== issuer || named.includes('{')) throw otherIssuer(named)
  if (!authorization_endpoint || !token_endpoint) throw new Error('The provider metadata has no sign-in endpoints')
  for (const endpoint of [authorization_endpoint, token_endpoint, userinfo_endpoint, jwks_uri])
    if (endpoint !== undefined && !isEndpoint(endpoint, issuer))
      throw new Error(`The provider metadata contains an invalid address: ${endpoint}`)
  const methods = first.serverMetadata().token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const authentication = methods.includes('client_secret_post')
    ? client.ClientSecretPost(clientSecret)
    : client.ClientSecretBasic(clientSecret)
  const configuration = new client.Configuration(first.serverMetadata(), clientId, metadata, authentication)
  configuration.timeout = TIMEOUT_SECONDS
  configuration[client.customFetch] = fetchLimited
  for (const apply of options.execute) apply(configuration)
  // Verify the signatures of ID tokens, although they arrive over TLS. For an unknown key, the library loads the
  // provider's keys again, at most once a minute.
  client.enableNonRepudiationChecks(configuration)
  return configuration
}

/**
 * Error codes of a malfunctioning provider. For example, the provider returns HTML instead of JSON. These errors do not
 * mean that the sign-on was refused.
 */
const BROKEN = ['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_JSON', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_PARSE_ERROR']

const isRefusal = (error: unknown) =>
  error instanceof client.AuthorizationResponseError ||
  error instanceof client.ResponseBodyError ||
  (error instanceof client.ClientError && !BROKEN.includes(error.code ?? ''))

const unreachable = (cause: unknown) => new ProviderAway('The sign-in provider cannot be reached', { cause })

/** An OpenID Connect provider. Its metadata is loaded at first use, after a failure, and again after a day. */
export class IdentityProvider {
  #discovered: { at: number; configuration: Promise<client.Configuration> } | undefined
  #failure: { at: number; cause: unknown } | undefined

  constructor(readonly config: OidcConfig) {}

  /** @throws ProviderAway when the provider's metadata cannot be loaded */
  async #configuration(): Promise<client.Configuration> {
    if (this.#failure && Date.now() - this.#failure.at < RETRY_MS) throw unreachable(this.#failure.cause)
    if (!this.#discovered || Date.now() - this.#discovered.at > DISCOVERY_MS)
      this.#discovered = { at: Date.now(), configuration: discover(this.config) }
    try {
      return await this.#discovered.configuration
    } catch (error) {
      this.#discovered = undefined
      this.#failure = { at: Date.now(), cause: error }
      throw unreachable(error)
    }
  }

  /**
   * Checks that the provider can be reached.
   * @throws ProviderAway
   */
  async check(): Promise<void> {
    await this.#configuration()
  }

  /**
   * Starts a sign-in at the provider.
   * @param isConfirmation if true, the provider asks for credentials even if the person is already signed in there
   * @returns the URL of the provider's sign-in page, and the values with which `finish` checks the response
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
      ...(isConfirmation ? { prompt: 'login', max_age: '0' } : { max_age: String(SIGN_IN_SECONDS) }),
    })
    return { url, checks }
  }

  /**
   * Exchanges the authorization code in the response for the person's data.
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
      if (!claims) throw new SignOnRefused('The sign-in provider did not send an ID token')
      const { userinfo_endpoint } = configuration.serverMetadata()
      const more: Record<string, unknown> = userinfo_endpoint
        ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : {}
      const { sub, iat, auth_time, azp } = claims
      if (azp !== undefined && azp !== this.config.clientId)
        throw new SignOnRefused('The ID token was issued to another program')
      if (instantOf(iat) === null || [iat, auth_time].some(isInFuture))
        throw new SignOnRefused('The ID token contains a time in the future')
      // Check the age here too, because some providers ignore `max_age`. If the provider sends no time, the age cannot
      // be checked.
      if (!isConfirmation && isOlderThan(auth_time, SIGN_IN_SECONDS + CLOCK_TOLERANCE_SECONDS))
        throw new SignOnRefused('The sign-in at the provider is too old')
      if (isConfirmation && instantOf(auth_time) === null)
        throw new SignOnRefused('The sign-in provider did not send the time of the sign-in')
      if (!isStorable(sub) || sub.length > SUBJECT_LENGTH)
        throw new SignOnRefused('The sign-in provider sent a user id that cannot be stored')
      return personOf(claims, more)
    } catch (error) {
      if (isRefusal(error)) throw new SignOnRefused(reasonOf(error), { cause: error })
      if (error instanceof SignOnRefused) throw error
      // The addresses in the metadata may be out of date, so load the metadata again for the next sign-on.
      if (this.#discovered && Date.now() - this.#discovered.at > RELOAD_MS) this.#discovered = undefined
      throw new ProviderAway('The sign-in provider did not send a valid response', { cause: error })
    }
  }
}

const SUBJECT_LENGTH = 255
const MESSAGE_LENGTH = 200

/**
 * Returns the cause of a failed sign-on for the log. An example is `OAUTH_INVALID_RESPONSE: invalid_client`. The text
 * contains no authorization code or token.
 */
const reasonOf = (error: unknown) => {
  const { code, error: oauth } = error as { code?: string; error?: string }
  const message = error instanceof Error ? error.message : String(error)
  return [code, oauth, message].filter(Boolean).join(': ').slice(0, MESSAGE_LENGTH).toWellFormed()
}

/** True if `time`, in seconds since 1970, is later than differences between clocks can explain. */
function isInFuture(time: unknown): boolean {
  const instant = instantOf(time)
  return instant !== null && instant.getTime() - Date.now() > CLOCK_TOLERANCE_SECONDS * 1000
}

/** True if `time`, in seconds since 1970, is more than `seconds` ago. False if `time` is not a valid time. */
function isOlderThan(time: unknown, seconds: number): boolean {
  const instant = instantOf(time)
  return instant !== null && Date.now() - instant.getTime() > seconds * 1000
}
