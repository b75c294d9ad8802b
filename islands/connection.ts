/** Header notice shown while an open list receives no live updates. */

/** Delay of the notice, because short interruptions recover by themselves. */
const PATIENCE_MS = 3000

let waiting: ReturnType<typeof setTimeout> | undefined

const sign = () => document.getElementById('connection')

/** Shows the notice after a delay, or updates a visible one. */
export function notHeard(words: string) {
  clearTimeout(waiting)
  waiting = setTimeout(() => say(words), sign() ? 0 : PATIENCE_MS)
}

/** Removes the notice: updates arrive again, or the page is hidden. */
export function heard() {
  clearTimeout(waiting)
  sign()?.remove()
}

function say(words: string) {
  const shown = sign() ?? document.createElement('span')
  shown.id = 'connection'
  shown.className = 'header-connection'
  shown.role = 'status'
  shown.title = 'Changes by other users appear when the connection is back'
  document.getElementById('news')?.before(shown)
  shown.textContent = words
}
