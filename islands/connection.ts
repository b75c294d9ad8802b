/** Whether an open list still hears of what others change, said in the header while it does not. */

/** A line that comes back by itself is no news. */
const PATIENCE_MS = 3000

let waiting: ReturnType<typeof setTimeout> | undefined

const sign = () => document.getElementById('connection')

/** @param words what is wrong, said unless it is mended in a moment */
export function notHeard(words: string) {
  clearTimeout(waiting)
  waiting = setTimeout(() => say(words), sign() ? 0 : PATIENCE_MS)
}

/** All is well, or nobody looks. */
export function heard() {
  clearTimeout(waiting)
  sign()?.remove()
}

function say(words: string) {
  const shown = sign() ?? document.createElement('span')
  shown.id = 'connection'
  shown.className = 'header-connection'
  shown.role = 'status'
  shown.title = 'What others change does not show until the connection is back'
  document.getElementById('news')?.before(shown)
  shown.textContent = words
}
