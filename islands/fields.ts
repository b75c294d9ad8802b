import { showToast } from './toast'

/** What fields do while they are typed in. */

/** A day that is not finished, or that no month has, would be sent as if nothing had been typed. */
export function unfinishedDays() {
  document.addEventListener(
    'submit',
    (event) => {
      const fields = (event.target as HTMLFormElement).querySelectorAll<HTMLInputElement>('input[type=date]')
      const wrong = [...fields].find((field) => field.validity.badInput)
      if (!wrong) return
      event.preventDefault()
      event.stopImmediatePropagation()
      wrong.focus()
      showToast('This is not a whole date', { tone: 'danger' })
    },
    { capture: true },
  )
}

/** Takes the blanks off what is pasted into a field, before the field's limit cuts off the end of it instead. */
export function trimPasted() {
  document.addEventListener('paste', (event) => {
    const field = event.target
    if (!(field instanceof HTMLInputElement) || field.type === 'password') return
    const text = event.clipboardData?.getData('text/plain') ?? ''
    if (text === text.trim() || text.trim() === '') return
    // Several cells are for the grid that they are pasted into.
    if (field.dataset.cell !== undefined && /[\t\n]/.test(text.trim())) return
    event.preventDefault()
    // Unlike setting the value, this can be undone and is heard like typing.
    document.execCommand('insertText', false, text.trim())
  })
}

/** Typing a value ticks the box that it goes with, or chooses what it goes with: `name` or `name=choice`. */
export function ticks() {
  document.addEventListener('input', ({ target }) => {
    const field = target as HTMLInputElement
    if (!field.dataset?.ticks || !field.value) return
    const [name, choice = ''] = field.dataset.ticks.split('=')
    const other = field.form?.querySelector<HTMLInputElement | HTMLSelectElement>(
      `input[type=checkbox][name="${name}"], select[name="${name}"]`,
    )
    if (other instanceof HTMLInputElement) other.checked = true
    else if (other) other.value = choice
  })
}

/** Fields such as the state are upper case while they are typed. */
export function upperCase() {
  document.addEventListener('input', (event) => {
    const field = event.target as HTMLInputElement
    if (field.dataset?.upper === undefined) return
    const { selectionStart, selectionEnd } = field
    field.value = field.value.toUpperCase()
    field.setSelectionRange(selectionStart, selectionEnd)
  })
}
