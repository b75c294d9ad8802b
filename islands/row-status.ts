import { bringAlive, choiceIn, closeDeparted } from './element'
import { type KINDS, NAMED, type StatusDropdownProps } from './status-kinds'

/** What turns to a status: a pointer or the focus that comes to it, or a choice that is quicker than both. */
const TURNS = ['pointerover', 'focusin', 'change']

/**
 * The statuses of a list are plain forms until somebody turns to one: that row alone comes alive, so that a list costs
 * an old PC nothing however many rows it has.
 */
export function rowStatus() {
  for (const turn of TURNS)
    document.addEventListener(turn, ({ target }) => {
      const form = target instanceof Element ? target.closest<HTMLFormElement>('.status-form') : null
      if (form) wake(form)
    })
  // What was chosen before this listened, or comes back with the page.
  for (const select of document.querySelectorAll<HTMLSelectElement>('.status-form select'))
    if (select.form && choiceIn(select) !== undefined) wake(select.form)
}

function wake(form: HTMLFormElement) {
  closeDeparted()
  const cell = form.parentElement
  // A row that left the list is switched off (`live.ts`).
  if (cell && !form.querySelector('select')?.disabled) bringAlive(cell, 'status-dropdown', propsOf(form))
}

/** The props that a form was rendered with, read from it, so that no row carries them twice. */
function propsOf(form: HTMLFormElement): StatusDropdownProps {
  const select = form.querySelector('select') as HTMLSelectElement
  return {
    kind: form.dataset.kind as keyof typeof KINDS,
    id: Number(form.closest('tr')?.id.replace('row-', '')),
    unit: (select.getAttribute('aria-label') ?? '').slice(NAMED.length),
    status: select.querySelector<HTMLOptionElement>('[selected]')?.value ?? select.value,
    version: Number(form.querySelector<HTMLInputElement>('[name=version]')?.value),
  }
}
