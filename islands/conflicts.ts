type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const isBox = (control: Control): control is HTMLInputElement => control.type === 'checkbox'
const contentOf = (control: Control) => (isBox(control) ? String(control.checked) : control.value)
function show(control: Control, value: string) {
  if (isBox(control)) control.checked = value === 'true'
  else control.value = value
}

/**
 * Shows the chosen value when the user resolves an edit conflict.
 * The user chooses between the stored value and their own value. Typing in the field chooses the user's own value.
 * Without this script, the server uses the submitted choice.
 */
export function conflictChoices() {
  const typedValues = new Map<string, string>()
  document.addEventListener('input', ({ target }) => {
    if (!(target instanceof HTMLElement)) return
    const form = target.closest<HTMLFormElement>('form.form')
    if (!form || !('name' in target)) return
    const field = /^choice_(.+)$/.exec(String(target.name))?.[1]
    if (!field) {
      const own = form.querySelector<HTMLInputElement>(`[name="choice_${target.name}"][value=typed]`)
      if (own) own.checked = true
      return
    }
    const control = form.querySelector<Control>(`.fields [name="${field}"]:not([type=hidden])`)
    if (!control || !(target instanceof HTMLInputElement)) return
    const stored = target.dataset.choice
    if (stored !== undefined) typedValues.set(field, contentOf(control))
    show(control, stored ?? typedValues.get(field) ?? contentOf(control))
  })
}
