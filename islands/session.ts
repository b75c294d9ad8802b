import { call } from './call'
import { setCookie } from './cookie'

const SLOW_MS = 150
const DAY_SECONDS = 86_400

function cover(isShown: boolean) {
  const loading = document.getElementById('loading')
  if (loading) loading.hidden = !isShown
}

/**
 * `Loading...` stands over the page while its session is checked: when the browser brings a page back from its memory,
 * where someone may have signed out since, and while a slow navigation waits for the server.
 */
export function checkSession() {
  let waiting: ReturnType<typeof setTimeout> | undefined
  window.addEventListener('pageshow', async (event) => {
    clearTimeout(waiting)
    cover(false)
    if (!event.persisted || location.pathname === '/login') return
    cover(true)
    const { ok, status } = await call('/api/auth/verify')
    if (ok || status === 0) cover(false)
  })
  window.addEventListener('beforeunload', (event) => {
    // Who is asked whether to leave, and stays, goes on at once.
    waiting = setTimeout(() => !event.defaultPrevented && cover(true), SLOW_MS)
    // A download leaves the page where it is.
    setTimeout(() => {
      clearTimeout(waiting)
      cover(false)
    }, 10_000)
  })
}

/** Signing out works while the server is away too: this browser forgets at once, and the server learns of it later. */
export function leaveForGood() {
  document.addEventListener('submit', async (event) => {
    const form = event.target as HTMLFormElement
    if (form.dataset?.logout === undefined) return
    event.preventDefault()
    const isDone = await fetch(form.action, { method: 'POST', headers: { 'hx-request': 'true' } }).then(
      ({ ok, status }) => ok || status === 401,
      () => false,
    )
    if (isDone) return location.assign('/login')
    // Tells the server, with the next request that reaches it, that this browser has signed out.
    setCookie('yardmaster_leaving', '1', DAY_SECONDS)
    sessionStorage.clear()
    const notice = document.getElementById('signed-out-here')
    if (notice instanceof HTMLTemplateElement) document.body.replaceChildren(notice.content.cloneNode(true))
  })
}
