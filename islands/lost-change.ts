import { LOST } from './call'
import { showToast } from './toast'

/** A choice in a list went out when the sign-in had ended: it was not taken. */
export function sayLost() {
  if (location.pathname === '/login' || sessionStorage.getItem(LOST) === null) return
  sessionStorage.removeItem(LOST)
  showToast('Your sign-in had ended. What you changed last was not saved; please change it again.', { tone: 'danger' })
}
