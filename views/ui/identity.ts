import { createContext } from 'react'
import { paths, withQuery } from '../../src/platform/paths'

/**
 * Ways in which the current user can confirm their identity. A sensitive change requires a confirmation. `page` is the
 * URL to open after single sign-on.
 */
export type IdentityProof = { hasPassword: boolean; hasSingleSignOn: boolean; page: string }

export const Identity = createContext<IdentityProof>({ hasPassword: true, hasSingleSignOn: false, page: '' })

/** Returns a URL that confirms the user's identity by single sign-on. The browser then opens `next`. */
export const singleSignOnUrl = (next: string) => withQuery(paths.singleSignOn, { confirm: 1, next: next || null })
