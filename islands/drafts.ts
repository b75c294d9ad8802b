const KEY = 'yardmaster-draft:'

/** What was typed in a form when its sign-in ran out comes back after signing in again. */
export function keepDrafts() {
  restoreDrafts(document)
  document.addEventListener('htmx:before:response', (event) => {
    const { ctx } = (event as CustomEvent).detail
    const form = ctx?.sourceElement as Element | undefined
    if (ctx?.response?.status === 401) {
      if (form instanceof HTMLFormElement && form.dataset.draft !== undefined) save(form)
    }
  })
}

/** Fills the forms within `root` with what was saved for them. */
export function restoreDrafts(root: ParentNode) {
  for (const form of root.querySelectorAll<HTMLFormElement>('form[data-draft]')) restore(form)
}

const keyOf = (form: HTMLFormElement) => KEY + new URL(form.action).pathname

function save(form: HTMLFormElement) {
  const typed = [...new FormData(form)].filter(([name, value]) => typeof value === 'string' && !isSecret(form, name))
  sessionStorage.setItem(keyOf(form), JSON.stringify(typed))
}

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
}
