import { LOST } from './call'
import { showToast } from './toast'

export function reportLostChange() {
  if (location.pathname === '/login' || sessionStorage.getItem(LOST) === null) return
  sessionStorage.removeItem(LOST)
  showToast('Your session had expired. Your last change was not saved. Make it again.', { tone: 'danger' })
}
