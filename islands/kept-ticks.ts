import { showToast } from './toast'

/**
 * Restores ticked rows that a bulk change left unchanged. After a refused change the values to set are restored too.
 * "All of this list" is not, because the list may have a different length by then.
 */

const KEPT = 'yardmaster-ticks'
const KEPT_FOR_MS = 300_000
/** `of` identifies the account and the list. `fields` are the ticks and the values to set. */
type Kept = { of: string; at: number; fields: [name: string, value: string][] }

const list = () =>
  `${document.querySelector<HTMLElement>('[data-account]')?.dataset.account} ${location.pathname}${location.search}`

export function keepTicks() {
  document.addEventListener('submit', ({ target }) => {
    if (!(target instanceof HTMLFormElement) || target.dataset.selection === undefined) return
    const fields = [...new FormData(target)].map(([name, value]): [string, string] => [name, String(value)])
    sessionStorage.setItem(KEPT, JSON.stringify({ of: list(), at: Date.now(), fields } satisfies Kept))
  })
  const form = document.querySelector<HTMLFormElement>('form[data-selection]')
  const text = sessionStorage.getItem(KEPT)
  // Keep the ticks: a sign-in or resend page may come in between.
  if (!form || !text) return
  sessionStorage.removeItem(KEPT)
  const kept = JSON.parse(text) as Kept
  if (kept.of === list() && Date.now() - kept.at < KEPT_FOR_MS) restore(form, kept.fields)
}

function restore(form: HTMLFormElement, fields: Kept['fields']) {
  const toast = document.querySelector<HTMLElement>('[data-toast]')
  const left = toast?.dataset.left?.split('.')
  // Without a toast, the change never arrived.
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
  // Continue at the bulk edit or the first ticked row, not at the top of the page.
  const asked = isRefused ? form.querySelector<HTMLElement>('.filter :is(select, input)') : null
  ;(asked ?? boxes.find(({ checked }) => checked))?.focus()
  if (!toast && sent.length > 0) showToast('Nothing was changed yet. Your selection was restored.', { tone: 'danger' })
}
