/**
 * Restores the focus on a sort or page link after a reload.
 * Keyboard users can then press Enter again, to reverse the order or to go to the next page.
 */

const STORAGE_KEY = 'yardmaster-link'
const LINKS = '#list thead a, #list .pager a[rel], #list .pager-top a'

const linkPosition = (link: Element) => {
  const alike = [...document.querySelectorAll(LINKS)].filter((other) => other.textContent === link.textContent)
  return { text: link.textContent, at: alike.indexOf(link) }
}

export function restoreLinkFocus() {
  document.addEventListener('click', ({ target, detail, ctrlKey, metaKey, shiftKey }) => {
    const link = target instanceof Element ? target.closest(LINKS) : null
    // A mouse click has a `detail` above 0. A click with a modifier key opens another tab or window.
    if (link && detail === 0 && !ctrlKey && !metaKey && !shiftKey)
      sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ path: location.pathname, ...linkPosition(link) }))
  })
  const stored = sessionStorage.getItem(STORAGE_KEY)
  sessionStorage.removeItem(STORAGE_KEY)
  if (!stored || document.activeElement !== document.body) return
  const { path, text, at } = JSON.parse(stored) as ReturnType<typeof linkPosition> & { path: string }
  if (path !== location.pathname) return
  const alike = [...document.querySelectorAll<HTMLElement>(LINKS)].filter((link) => link.textContent === text)
  const link = alike[at] ?? alike.at(-1)
  if (link) return link.focus()
  // The last page has no link "Next". Focus the text "151–180 of 180" instead, so that another Enter does nothing.
  const range = document.getElementById('range-top')
  if (range) range.tabIndex = -1
  range?.focus()
}
