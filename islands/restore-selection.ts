import { showToast } from './toast'

/**
 * Ticks the rows that a bulk edit did not change.
 * The user can then try again. After a rejected bulk edit, also restores the values that the user had chosen for the
 * rows. The choice "All of this list" is not restored, because the number of rows may have changed.
 */

const STORAGE_KEY = 'yardmaster-ticks'
const MAX_AGE_MS = 300_000
/**
 * Stored input of a bulk edit.
 * `of` identifies the account and the list. `fields` contains the ticked rows and the values to set. `versions`
 * contains the versions of the ticked rows by id.
 */
type StoredTicks = {
  of: string
  at: number
  fields: [name: string, value: string][]
  /** Undefined if an earlier release of the program stored the input. */
  versions?: Record<string, string | undefined>
}

const versionOf = (id: string) => document.getElementById(`row-${id}`)?.dataset.version
const idsIn = (fields: StoredTicks['fields']) => fields.flatMap(([name, value]) => (name === 'ids' ? [value] : []))

const currentListKey = () =>
  `${document.querySelector<HTMLElement>('[data-account]')?.dataset.account} ${location.pathname}${location.search}`

export function keepSelection() {
  document.addEventListener('submit', ({ target }) => {
    if (!(target instanceof HTMLFormElement) || target.dataset.selection === undefined) return
    const fields = [...new FormData(target)].map(([name, value]): [string, string] => [name, String(value)])
    sessionStorage.setItem(
      STORAGE_KEY,
      JSON.stringify({
        of: currentListKey(),
        at: Date.now(),
        fields,
        versions: Object.fromEntries(idsIn(fields).map((id) => [id, versionOf(id)])),
      } satisfies StoredTicks),
    )
  })
  const form = document.querySelector<HTMLFormElement>('form[data-selection]')
  const text = sessionStorage.getItem(STORAGE_KEY)
  // Keep the stored input for the next page with a list. For example, after the session has ended, the sign-in page
  // opens before the list.
  if (!form || !text) return
  sessionStorage.removeItem(STORAGE_KEY)
  const stored = JSON.parse(text) as StoredTicks
  if (stored.of === currentListKey() && Date.now() - stored.at < MAX_AGE_MS) restore(form, stored)
}

function restore(form: HTMLFormElement, { fields, versions }: StoredTicks) {
  const toast = document.querySelector<HTMLElement>('[data-toast]')
  const skippedIds = toast?.dataset.left?.split('.')
  // If no message about the result arrived, keep the selection. The response may have been lost, so the bulk edit may
  // have succeeded or failed.
  const isRefused = !toast || toast.matches('.toast-danger')
  const submittedIds = idsIn(fields)
  const ids = new Set(skippedIds ?? (isRefused ? submittedIds : []))
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
  // Without this focus, keyboard users would start at the top of the page.
  const firstField = isRefused ? form.querySelector<HTMLElement>('.filter :is(select, input)') : null
  ;(firstField ?? boxes.find(({ checked }) => checked))?.focus()
  if (toast || submittedIds.length === 0) return
  // If a row has a new version, the bulk edit was saved although its response was lost.
  if (submittedIds.some((id) => versionOf(id) !== versions?.[id]))
    return showToast('Some of the selected records were changed. Check them before you try again.', { tone: 'danger' })
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  // Show no message if the user returned with the Back button, for example from a form that asked for more values. In
  // that case, the user expects the restored selection.
  if (visit?.type !== 'back_forward')
    showToast('No record was changed yet. Your selection was restored.', { tone: 'danger' })
}
