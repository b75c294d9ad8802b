import { LOST } from './call'
import { showToast } from './toast'

/** Reports a status change that was lost because the session had ended. */
export function sayLost() {
  if (location.pathname === '/login' || sessionStorage.getItem(LOST) === null) return
  sessionStorage.removeItem(LOST)
  showToast('Your sign-in had ended. What you changed last was not saved; please change it again.', { tone: 'danger' })
}
