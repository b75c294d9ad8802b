import { call } from './call'

const SLOW_MS = 150

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
  window.addEventListener('beforeunload', () => {
    waiting = setTimeout(cover, SLOW_MS, true)
    // A download leaves the page where it is.
    setTimeout(() => {
      clearTimeout(waiting)
      cover(false)
    }, 10_000)
  })
}
