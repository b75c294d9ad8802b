import { createContext } from 'react'
import { paths, withQuery } from '../../src/platform/paths'

/** How the user of a page proves their identity before a sensitive change. */
export type IdentityProof = { hasPassword: boolean; hasSingleSignOn: boolean; page: string }

export const Identity = createContext<IdentityProof>({ hasPassword: true, hasSingleSignOn: false, page: '' })

/** URL that confirms the user by single sign-on and then opens `next`. */
export const singleSignOnUrl = (next: string) => withQuery(paths.singleSignOn, { confirm: 1, next: next || null })
