import type { SignOnProblem } from './single-sign-on'

/** Reason for a failed single sign-on. It is a parameter in the URL of the login page. */
export type SignOnFailure = SignOnProblem | 'away' | 'refused' | 'limited' | 'busy' | 'expired' | 'unavailable'

const ASK = 'Ask an administrator.'
const SIGN_ON_TEXTS: Record<SignOnFailure, string> = {
  away: 'Single sign-on cannot be reached. Try again later.',
  refused: 'Single sign-on failed. Please try again.',
  limited: 'Too many single sign-ons failed on this network. Try again in 15 minutes.',
  busy: 'You have started too many single sign-ons at the same time. Please try again.',
  expired: 'The sign-in took too long or was started in another browser. Please try again.',
  inactive: `Your account is not active. ${ASK}`,
  taken: `An account with your username exists, but it is not linked to your single sign-on. ${ASK}`,
  unavailable: 'The server cannot save your account now. Try again later.',
  'no-account': `You have no account here. ${ASK}`,
  similar: `Your username looks like the username of another account. ${ASK}`,
  'no-username': `Your username cannot be used here. ${ASK}`,
}

export const signOnText = (reason: unknown) =>
  typeof reason === 'string' && Object.hasOwn(SIGN_ON_TEXTS, reason) ? SIGN_ON_TEXTS[reason as SignOnFailure] : null
