/**
 * Ticks outlive a change that was refused: the page comes anew, and what was not changed is ticked again, with what was
 * to be set where nothing was.
 */

const KEPT = 'yardmaster-ticks'
/** Of which list of whose; `fields` are the ticks, and what was to be set. */
type Kept = { of: string; fields: [name: string, value: string][] }

const list = () => `${document.querySelector<HTMLElement>('[data-account]')?.dataset.account} ${location.pathname}`

/** Keeps them before the page is left, and brings them back to the one that comes. */
export function keepTicks() {
  document.addEventListener('submit', ({ target }) => {
    if (!(target instanceof HTMLFormElement) || target.dataset.selection === undefined) return
    const fields = [...new FormData(target)].map(([name, value]): [string, string] => [name, String(value)])
    sessionStorage.setItem(KEPT, JSON.stringify({ of: list(), fields } satisfies Kept))
  })
  const form = document.querySelector<HTMLFormElement>('form[data-selection]')
  const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') as Kept | null
  // A sign-in, or the question whether to send it again, may come in between.
  if (!form || !kept) return
  sessionStorage.removeItem(KEPT)
  if (kept.of === list()) restore(form, kept)
}

function restore(form: HTMLFormElement, { fields }: Kept) {
  const toast = document.querySelector<HTMLElement>('[data-toast]')
  const left = toast?.dataset.left?.split(' ').map((id): [string, string] => ['ids', id])
  // Without a word it never arrived.
  const isRefused = !toast || toast.matches('.toast-danger')
  for (const [name, value] of left ?? (isRefused ? fields : [])) put(form, name, value)
  document.dispatchEvent(new Event('yardmaster:ticked'))
  // Where the work was, not at the top of the page.
  const all = boxes(form)
  const box = all.find(({ checked }) => checked) ?? all[0]
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
