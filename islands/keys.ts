import { make } from './make'
import { showToast, undoLatest } from './toast'

const KEYS: [keys: string, what: string][] = [
  ['j k', 'next row, previous row'],
  ['Enter', 'open the row'],
  ['e', 'edit the row'],
  ['x', 'select the row; Shift+click selects a range'],
  ['s', 'go to the status of the row'],
  ['b', 'go to the bulk edit bar'],
  ['Ctrl Z', 'undo the latest change'],
  ['/', 'search the list'],
  ['Ctrl K', 'search everywhere'],
  ['t +3 11/23', 'in a date field: today, in 3 days, a date without the year'],
  ['Esc', 'close the open menu or dialog'],
  ['?', 'show keyboard shortcuts'],
]

const isTyping = (target: EventTarget | null) =>
  (target as Element | null)?.closest(
    'input:not([type=checkbox]), select, textarea, dialog[open], [contenteditable]',
  ) != null

const isUndo = ({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent) =>
  (ctrlKey || metaKey) && !shiftKey && key.toLowerCase() === 'z'

/** True if the browser handles Ctrl+Z itself, as in text fields. */
const hasOwnUndo = (target: EventTarget | null) =>
  (target as Element | null)?.closest(
    'input:not([type=checkbox], [type=date]), textarea, dialog[open], [contenteditable]',
  ) != null

export function listKeys() {
  const rows = () => [...document.querySelectorAll<HTMLTableRowElement>('#list tbody tr')]
  const current = () => (document.activeElement as Element | null)?.closest<HTMLTableRowElement>('#list tbody tr')
  const go = (step: number) => {
    const all = rows()
    const at = all.indexOf(current() as HTMLTableRowElement)
    const next = all[at < 0 ? (step > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + step))]
    const link = next?.querySelector<HTMLElement>('.unit a, td a')
    link?.focus()
    next?.scrollIntoView({ block: 'nearest' })
  }
  const actions: Record<string, () => unknown> = {
    j: () => go(1),
    k: () => go(-1),
    e: () =>
      [...(current()?.querySelectorAll<HTMLElement>('.row-actions a') ?? [])]
        .find((link) => link.textContent === 'Edit')
        ?.click(),
    x: () => current()?.querySelector<HTMLElement>('.pick input')?.click(),
    s: () => current()?.querySelector<HTMLElement>('select')?.focus(),
    b: () => document.querySelector<HTMLElement>('.selection-bar.is-open :is(select, input[type=date])')?.focus(),
    '?': showKeys,
  }
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && (event.target as Element).matches('#list tbody select, #list tbody input'))
      return current()?.querySelector<HTMLElement>('.unit a, td a')?.focus()
    if (isUndo(event) && !hasOwnUndo(event.target)) {
      event.preventDefault()
      if (!undoLatest()) showToast('Ctrl+Z undoes the change in the last message. There is none.')
      return
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    const action = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined
    if (!action) return
    event.preventDefault()
    action()
  })
}

const TITLE = 'Keyboard shortcuts'

function showKeys() {
  const list = KEYS.flatMap(([keys, description]) => [
    make('dt', {}, ...keys.split(' ').flatMap((key) => [make('kbd', {}, key), ' '])),
    make('dd', {}, description),
  ])
  const close = make('button', { className: 'button' }, 'Close')
  const dialog = make('dialog', { className: 'modal keys' }, make('h2', {}, TITLE), make('dl', {}, ...list), close)
  dialog.setAttribute('aria-label', TITLE)
  close.addEventListener('click', () => dialog.close())
  // Do not restore the focus here, because the browser does so when it closes a dialog.
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}
