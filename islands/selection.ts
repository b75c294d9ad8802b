/**
 * Lets the user select table rows with checkboxes.
 * A checkbox in the header selects all rows of the page, and Shift+click selects a range. A bar shows the number of
 * selected rows and the actions. On phones, the user must first show the checkboxes with a button.
 */
export function selection() {
  let last: HTMLInputElement | null = null
  const boxes = () => [...document.querySelectorAll<HTMLInputElement>('#list tbody input[name=ids]')]
  const toggle = () => document.querySelector<HTMLElement>('[data-select-rows]')
  const select = (isWanted: boolean) => {
    toggle()?.setAttribute('aria-pressed', String(isWanted))
    document.getElementById('list')?.classList.toggle('is-selecting', isWanted)
  }
  const show = () => {
    select(toggle()?.getAttribute('aria-pressed') === 'true')
    const bar = document.querySelector<HTMLFormElement>('[data-selection]')
    if (!bar) return
    const all = boxes()
    const ticked = all.filter((box) => box.checked)
    const isAll = bar.querySelector<HTMLInputElement>('input[name=all]')?.checked ?? false
    const isOpen = isAll || ticked.length > 0
    bar.classList.toggle('is-open', isOpen)
    bar.parentElement?.classList.toggle('has-selection', isOpen)
    const count = bar.querySelector('[data-selected]')
    if (count) count.textContent = isAll ? 'All selected' : `${ticked.length} selected`
    const button = bar.querySelector('[data-change]')
    if (button) button.textContent = isAll ? 'Change all' : `Change ${ticked.length || ''}`.trim()
    const head = document.querySelector<HTMLInputElement>('[data-pick-all]')
    if (head) {
      head.checked = all.length > 0 && ticked.length === all.length
      head.indeterminate = ticked.length > 0 && ticked.length < all.length
    }
    for (const box of all) box.closest('tr')?.classList.toggle('is-ticked', box.checked)
  }
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof HTMLElement)) return
    // Toggle the checkbox after a click anywhere in its cell, because the checkbox itself is small on touch screens.
    if (target.matches('#list td.pick')) return target.querySelector('input')?.click()
    if (target.dataset.selectRows === undefined) return
    const isWanted = target.getAttribute('aria-pressed') !== 'true'
    select(isWanted)
    if (!isWanted) document.querySelector<HTMLFormElement>('[data-selection]')?.reset()
  })
  document.addEventListener('click', (event) => {
    const box = event.target
    if (!(box instanceof HTMLInputElement) || box.name !== 'ids') return
    const all = boxes()
    const [from, to] = [last ? all.indexOf(last) : -1, all.indexOf(box)]
    if (event.shiftKey && from >= 0)
      for (const between of all.slice(Math.min(from, to), Math.max(from, to) + 1)) between.checked = box.checked
    last = box
    show()
  })
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return
    if (target.dataset.pickAll !== undefined) for (const box of boxes()) box.checked = target.checked
    if (target.dataset.pickAll !== undefined || target.name === 'ids' || target.name === 'all') show()
  })
  // The checkboxes belong to the form of the bulk edit bar. Resetting this form unticks all of them.
  document.addEventListener('reset', (event) => {
    if ((event.target as HTMLElement).dataset.selection !== undefined) setTimeout(show)
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog[open]')) return
    document.querySelector<HTMLFormElement>('.selection-bar.is-open')?.reset()
  })
  document.addEventListener('htmx:after:swap', show)
  document.addEventListener('yardmaster:ticked', show)
  window.addEventListener('pageshow', show)
}
