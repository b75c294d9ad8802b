/** Notice in the page header that a list receives no live updates. */

/** Delay before the notice appears, so that short interruptions cause no notice. */
const NOTICE_DELAY_MS = 3000

let waiting: ReturnType<typeof setTimeout> | undefined

const sign = () => document.getElementById('connection')

/** Shows the notice about missing updates after a delay. If it is already visible, changes its text at once. */
export function showDisconnected(words: string) {
  clearTimeout(waiting)
  waiting = setTimeout(() => showNotice(words), sign() ? 0 : NOTICE_DELAY_MS)
}

export function clearDisconnected() {
  clearTimeout(waiting)
  sign()?.remove()
}

function showNotice(words: string) {
  const notice = sign() ?? document.createElement('span')
  notice.id = 'connection'
  notice.className = 'header-connection'
  notice.role = 'status'
  notice.title = 'Changes by other users appear when the connection is back'
  document.getElementById('news')?.before(notice)
  notice.textContent = words
}
