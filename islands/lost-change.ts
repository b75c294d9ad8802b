import { LOST } from './call'
import { showToast } from './toast'

export function reportLostChange() {
  const lost = sessionStorage.getItem(LOST)
  if (lost === null) return
  if (location.pathname === '/login') return sessionStorage.setItem(LOST, 'lost')
  sessionStorage.removeItem(LOST)
  // The user left the page before the response to a change arrived. The session continues, so the change was saved.
  if (lost === 'sent') return
  showToast('Your session had expired. Your last change was not saved. Make it again.', { tone: 'danger' })
}
