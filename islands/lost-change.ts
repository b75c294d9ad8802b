import { LOST } from './call'
import { showToast } from './toast'

/** Reports a change that was lost because the session had ended. */
export function reportLostChange() {
  if (location.pathname === '/login' || sessionStorage.getItem(LOST) === null) return
  sessionStorage.removeItem(LOST)
  showToast('Your session had expired. Your last change was not saved. Please make it again.', { tone: 'danger' })
}
