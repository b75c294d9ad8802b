import type { Person } from '../../src/platform/auth/person'
import type { OidcConfig } from '../../src/platform/config'

/** A single sign-on provider that does not answer, and a person who has signed in there. */

export const OIDC: OidcConfig = {
  issuer: 'http://127.0.0.1:1',
  clientId: 'yardmaster',
  clientSecret: 'secret',
  adminGroup: null,
  createsAccounts: true,
  passwordAccounts: null,
}

export const PERSON: Person = {
  issuer: OIDC.issuer,
  subject: 'u-1',
  authenticated: null,
  username: 'ben',
  verifiedEmail: null,
  first_name: null,
  last_name: null,
  email: null,
  groups: [],
}
