import { showToast } from './toast'

const KEY = 'yardmaster-draft:'

/** What was typed in a form when its sign-in ran out comes back after signing in again. */
export function keepDrafts() {
  restoreDrafts(document)
  document.addEventListener('htmx:before:response', (event) => {
    const { ctx } = (event as CustomEvent).detail
    const form = ctx?.sourceElement as Element | undefined
    if (ctx?.response?.status !== 401 || !(form instanceof HTMLFormElement) || form.dataset.draft === undefined) return
    const typed = [...new FormData(form)].filter(([name, value]) => typeof value === 'string' && !isSecret(form, name))
    sessionStorage.setItem(keyOf(form), JSON.stringify(typed))
  })
}

/** The address of a form that was open in a dialog when the sign-in ran out, for the dialog to open it again. */
export function draftElsewhere(): string | null {
  const key = Object.keys(sessionStorage).find((key) => key.startsWith(KEY))
  return key ? key.slice(KEY.length) : null
}

/** Fills the forms within `root` with what was saved for them. */
export function restoreDrafts(root: ParentNode) {
  for (const form of root.querySelectorAll<HTMLFormElement>('form[data-draft]')) restore(form)
}

// A form is posted to the address that also shows it.
const keyOf = (form: HTMLFormElement) => KEY + new URL(form.action).pathname

const isSecret = (form: HTMLFormElement, name: string) => form.querySelector(`input[type=password][name="${CSS.escape(name)}"]`) !== null

function restore(form: HTMLFormElement) {
  const saved = sessionStorage.getItem(keyOf(form))
  if (!saved) return
  sessionStorage.removeItem(keyOf(form))
  for (const [name, value] of JSON.parse(saved) as [string, string][]) {
    const field = form.elements.namedItem(name)
    if (field instanceof HTMLInputElement && field.type !== 'hidden' && field.type !== 'checkbox') field.value = value
    if (field instanceof HTMLSelectElement || field instanceof HTMLTextAreaElement) field.value = value
    if (field instanceof RadioNodeList) for (const box of field) if (box instanceof HTMLInputElement && box.type === 'checkbox') box.checked = value === 'true'
  }
  showToast('Your sign-in had ended. What you typed is back, and not saved yet.', 'danger')
}
