import { showToast } from './toast'

/**
 * Ticks outlive a change that was refused: the page comes anew, and what was not changed is ticked again, with what was
 * to be set where nothing was. That all of a list was meant is not repeated: it may be another number by now.
 */

const KEPT = 'yardmaster-ticks'
const KEPT_FOR_MS = 300_000
/** Of which list of whose; `fields` are the ticks, and what was to be set. */
type Kept = { of: string; at: number; fields: [name: string, value: string][] }

const list = () =>
  `${document.querySelector<HTMLElement>('[data-account]')?.dataset.account} ${location.pathname}${location.search}`

/** Keeps them before the page is left, and brings them back to the one that comes. */
export function keepTicks() {
  document.addEventListener('submit', ({ target }) => {
    if (!(target instanceof HTMLFormElement) || target.dataset.selection === undefined) return
    const fields = [...new FormData(target)].map(([name, value]): [string, string] => [name, String(value)])
    sessionStorage.setItem(KEPT, JSON.stringify({ of: list(), at: Date.now(), fields } satisfies Kept))
  })
  const form = document.querySelector<HTMLFormElement>('form[data-selection]')
  const text = sessionStorage.getItem(KEPT)
  // A sign-in, or the question whether to send it again, may come in between.
  if (!form || !text) return
  sessionStorage.removeItem(KEPT)
  const kept = JSON.parse(text) as Kept
  if (kept.of === list() && Date.now() - kept.at < KEPT_FOR_MS) restore(form, kept.fields)
}

function restore(form: HTMLFormElement, fields: Kept['fields']) {
  const toast = document.querySelector<HTMLElement>('[data-toast]')
  const left = toast?.dataset.left?.split('.')
  // Without a word it never arrived.
  const isRefused = !toast || toast.matches('.toast-danger')
  const sent = fields.flatMap(([name, value]) => (name === 'ids' ? [value] : []))
  const ids = new Set(left ?? (isRefused ? sent : []))
  const boxes = [...form.elements].filter(
    (field): field is HTMLInputElement => field instanceof HTMLInputElement && field.name === 'ids',
  )
  for (const box of boxes) box.checked = ids.has(box.value)
  if (isRefused)
    for (const [name, value] of fields) {
      const field = form.querySelector<HTMLInputElement | HTMLSelectElement>(`.filter [name="${name}"]`)
      if (field) field.value = value
    }
  document.dispatchEvent(new Event('yardmaster:ticked'))
  // Where the work was, not at the top of the page.
  const asked = isRefused ? form.querySelector<HTMLElement>('.filter :is(select, input)') : null
  ;(asked ?? boxes.find(({ checked }) => checked))?.focus()
  if (!toast && sent.length > 0) showToast('Nothing was changed yet. The ticks are back.', { tone: 'danger' })
}
