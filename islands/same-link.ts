/**
 * A sort or a page is a page of its own, whose focus would begin at its top. Whoever went there by key is at the same
 * link again: Enter pages on, or turns the order round.
 */

const KEPT = 'yardmaster-link'
const LINKS = '#list thead a, #list .pager a[rel], #list .pager-top a'

/** What a link is called, and which of those of that name it is. */
const nameOf = (link: Element) => {
  const alike = [...document.querySelectorAll(LINKS)].filter((other) => other.textContent === link.textContent)
  return { text: link.textContent, at: alike.indexOf(link) }
}

export function sameLink() {
  document.addEventListener('click', ({ target, detail, ctrlKey, metaKey, shiftKey }) => {
    const link = target instanceof Element ? target.closest(LINKS) : null
    // A click of a pointer has a count; with one of these keys the page stays.
    if (link && detail === 0 && !ctrlKey && !metaKey && !shiftKey)
      sessionStorage.setItem(KEPT, JSON.stringify({ path: location.pathname, ...nameOf(link) }))
  })
  const kept = sessionStorage.getItem(KEPT)
  sessionStorage.removeItem(KEPT)
  if (!kept || document.activeElement !== document.body) return
  const { path, text, at } = JSON.parse(kept) as ReturnType<typeof nameOf> & { path: string }
  if (path !== location.pathname) return
  const alike = [...document.querySelectorAll<HTMLElement>(LINKS)].filter((link) => link.textContent === text)
  const link = alike[at] ?? alike.at(-1)
  if (link) return link.focus()
  // The last page has no next one: the rows are what was asked for, and a further Enter leads nowhere.
  const range = document.getElementById('range-top')
  if (range) range.tabIndex = -1
  range?.focus()
}
