import { call } from './call'
import { setCookie } from './cookie'

const SLOW_MS = 150
const DAY_SECONDS = 86_400

function showLoading(isShown: boolean) {
  const loading = document.getElementById('loading')
  if (loading) loading.hidden = !isShown
}

/**
 * Covers the page during a session check or a slow navigation.
 * A page from the browser's back/forward cache needs the check, because the user may have signed out in the meantime.
 */
export function checkSession() {
  let waiting: ReturnType<typeof setTimeout> | undefined
  window.addEventListener('pageshow', async (event) => {
    clearTimeout(waiting)
    showLoading(false)
    if (!event.persisted || location.pathname === '/login') return
    showLoading(true)
    const { ok, status } = await call('/api/auth/verify')
    if (ok || status === 0) showLoading(false)
  })
  window.addEventListener('beforeunload', (event) => {
    // Do not show the loading overlay if the browser warned about unsaved input, because the user may stay on the page.
    waiting = setTimeout(() => !event.defaultPrevented && showLoading(true), SLOW_MS)
    // A download also fires `beforeunload`, but the user stays on the page.
    setTimeout(() => {
      clearTimeout(waiting)
      showLoading(false)
    }, 10_000)
  })
}

/**
 * Signs the user out even if the server is unreachable.
 * Deletes the data in the session storage, such as drafts. The response header `Clear-Site-Data` would also delete this
 * data, but browsers ignore the header on plain HTTP.
 */
export function secureSignOut() {
  document.addEventListener('submit', async (event) => {
    const form = event.target as HTMLFormElement
    if (form.dataset?.logout === undefined) return
    event.preventDefault()
    const isDone = await fetch(form.action, { method: 'POST', headers: { 'hx-request': 'true' } }).then(
      ({ ok, status }) => ok || status === 401,
      () => false,
    )
    // Mark all forms as sent. Otherwise, leaving the page would store drafts again.
    for (const draft of document.querySelectorAll<HTMLElement>('form[data-draft]')) draft.dataset.sent = ''
    sessionStorage.clear()
    if (isDone) return location.assign('/login')
    // The server did not sign the user out. This cookie makes it end the session at the next request that reaches it.
    setCookie('yardmaster_leaving', '1', DAY_SECONDS)
    const notice = document.getElementById('signed-out-here')
    if (notice instanceof HTMLTemplateElement) document.body.replaceChildren(notice.content.cloneNode(true))
  })
}
