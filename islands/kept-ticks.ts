/**
 * Ticks outlive a change that was refused: the page comes anew, and what was not changed is ticked again, with what was
 * to be set where nothing was.
 */

const KEPT = 'yardmaster-ticks'
type Kept = { path: string; fields: [name: string, value: string][] }

/** Before the page is left. */
export function keepTicks() {
  document.addEventListener('submit', ({ target }) => {
    if (!(target instanceof HTMLFormElement) || target.dataset.selection === undefined) return
    const fields = [...new FormData(target)].map(([name, value]): [string, string] => [name, String(value)])
    sessionStorage.setItem(KEPT, JSON.stringify({ path: location.pathname, fields } satisfies Kept))
  })
  restore()
}

function restore() {
  const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') as Kept | null
  const form = document.querySelector<HTMLFormElement>('form[data-selection]')
  const toast = document.querySelector<HTMLElement>('[data-toast]')
  if (!kept || !toast) return
  sessionStorage.removeItem(KEPT)
  if (!form || kept.path !== location.pathname) return
  const left = toast.dataset.left?.split(' ')
  const isRefused = !left && toast.matches('.toast-danger')
  const wanted = left?.map((id): [string, string] => ['ids', id]) ?? (isRefused ? kept.fields : [])
  for (const [name, value] of wanted) put(form, name, value)
  document.dispatchEvent(new Event('yardmaster:ticked'))
  // Where the work was, not at the top of the page.
  const [box] = boxes(form).toSorted((a, b) => Number(b.checked) - Number(a.checked))
  box?.focus()
}

const boxes = (form: HTMLFormElement) =>
  [...form.elements].filter((field): field is HTMLInputElement => 'name' in field && field.name === 'ids')

function put(form: HTMLFormElement, name: string, value: string) {
  if (name === 'filters' || name === 'expected') return
  const box = [...form.elements].find(
    (field): field is HTMLInputElement =>
      field instanceof HTMLInputElement && field.type === 'checkbox' && field.name === name && field.value === value,
  )
  if (box) box.checked = true
  const field = box ? null : form.elements.namedItem(name)
  if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value
}
