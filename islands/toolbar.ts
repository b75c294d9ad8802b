/** What a toolbar of one line is high, in pixels; two lines are more. */
const ONE_LINE = 44

/**
 * Tools that take two lines, or with the pager more than one, scroll away with the page: staying, they would lie over
 * the heads of the columns.
 */
export function toolbarLines() {
  const toolbar = document.querySelector<HTMLElement>('.toolbar')
  if (!toolbar) return
  const ground = getComputedStyle(document.documentElement)
  if (Number.parseInt(ground.getPropertyValue('--control-small'), 10) > ONE_LINE - 4) return
  new ResizeObserver(() => {
    toolbar.classList.remove('is-wide', 'is-tight')
    const isTall = toolbar.offsetHeight > ONE_LINE
    // Where the pager is too long for what is left, its links alone may fit.
    toolbar.classList.toggle('is-tight', !isTall && liesUnderPager(toolbar))
    toolbar.classList.toggle('is-wide', isTall || liesUnderPager(toolbar))
  }).observe(toolbar)
}

/** Does its line reach below the pager that stands at the end of it? */
function liesUnderPager(toolbar: HTMLElement): boolean {
  const pager = document.querySelector('.pager-top')?.getBoundingClientRect()
  if (!pager?.width) return false
  const tools = toolbar.querySelectorAll('.search, .filter, .narrowing, .button, a')
  return [...tools].some((tool) => tool.getBoundingClientRect().right > pager.left - 8)
}

/** What is searched for already is not asked for again when its field is left: ticks and the focus would be gone. */
export function askedOnce() {
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

/** What was searched for while there was no network is asked for once it is back. */
export function searchAgain() {
  window.addEventListener('online', () => {
    const shown = new URL(location.href).searchParams.get('q') ?? ''
    for (const field of document.querySelectorAll<HTMLInputElement>('form[role=search] input[name=q]'))
      if (field.value.trim() !== shown) field.form?.dispatchEvent(new Event('change', { bubbles: true }))
  })
}

/** How many rows a page has is chosen at once, as every filter is. */
export function pageSizes() {
  document.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement && target.name === 'per_page') target.form?.requestSubmit()
  })
}
