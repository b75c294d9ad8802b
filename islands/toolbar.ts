/** Maximum height in pixels of a toolbar with one line. */
const ONE_LINE = 44

/**
 * Keeps a one-line toolbar at the top of the window.
 * A toolbar of several lines scrolls with the page, because it would cover the column headings. A toolbar that overlaps
 * the page links scrolls too.
 */
export function toolbarLines() {
  const toolbar = document.querySelector<HTMLElement>('.toolbar')
  if (!toolbar) return
  const ground = getComputedStyle(document.documentElement)
  if (Number.parseInt(ground.getPropertyValue('--control-small'), 10) > ONE_LINE - 4) return
  new ResizeObserver(() => {
    toolbar.classList.remove('is-wide', 'is-tight')
    const isTall = toolbar.offsetHeight > ONE_LINE
    // If the page links do not fit beside the toolbar, first hide only the text next to the links.
    toolbar.classList.toggle('is-tight', !isTall && liesUnderPager(toolbar))
    toolbar.classList.toggle('is-wide', isTall || liesUnderPager(toolbar))
  }).observe(toolbar)
}

function liesUnderPager(toolbar: HTMLElement): boolean {
  const pager = document.querySelector('.pager-top')?.getBoundingClientRect()
  if (!pager?.width) return false
  const tools = toolbar.querySelectorAll('.search, .filter, .narrowing, .button, a')
  return [...tools].some((tool) => tool.getBoundingClientRect().right > pager.left - 8)
}

/**
 * Ignores `change` events of a search field with unchanged text. Leaving the field would otherwise repeat the search
 * and lose the ticked rows and the focus.
 */
export function submitOnce() {
  document.addEventListener(
    'change',
    (event) => {
      const { target } = event
      if (!(target instanceof HTMLInputElement) || !target.matches('form[role=search] [name=q]')) return
      if (target.value.trim() === (new URL(location.href).searchParams.get('q') ?? '')) event.stopPropagation()
    },
    true,
  )
}

export function searchAgain() {
  window.addEventListener('online', () => {
    const currentQuery = new URL(location.href).searchParams.get('q') ?? ''
    for (const field of document.querySelectorAll<HTMLInputElement>('form[role=search] input[name=q]'))
      if (field.value.trim() !== currentQuery) field.form?.dispatchEvent(new Event('change', { bubbles: true }))
  })
}

export function pageSizes() {
  document.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement && target.name === 'per_page') target.form?.requestSubmit()
  })
}
