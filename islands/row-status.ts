import { call } from './call'
import { bringAlive, choiceIn, closeDeparted, isAlive, preload } from './element'
import { refreshCounts } from './head'
import type { KINDS, StatusDropdownProps } from './status-kinds'
import { failure, NAMED, type Stored, statusClass } from './status-words'
import { showToast } from './toast'

/** What turns to a status: a pointer or the focus that comes to it, or a choice that is quicker than both. */
const TURNS = ['pointerover', 'focusin', 'change']

/** An old PC first finishes the page itself. */
const SETTLED_MS = 1500

/** Choices that wait for the island's code, by the cell of their row. */
const waiting = new Map<HTMLElement, { props: StatusDropdownProps; select: HTMLSelectElement }>()

/**
 * The statuses of a list are plain forms until somebody turns to one: that row alone comes alive, so that a list costs
 * an old PC nothing however many rows it has. A choice that is made before is sent all the same: by the island once it
 * is alive, or without it when its code does not come, or the row or the page goes first.
 */
export function rowStatus() {
  for (const turn of TURNS)
    document.addEventListener(turn, ({ target }) => {
      const form = target instanceof Element ? target.closest<HTMLFormElement>('.status-form') : null
      if (form) void wake(form)
    })
  window.addEventListener('pagehide', () => [...waiting.keys()].forEach(sendWaiting))
  const selects = document.querySelectorAll<HTMLSelectElement>('.status-form select')
  // What was chosen before this listened, or comes back with the page.
  for (const select of selects) if (select.form && choiceIn(select) !== undefined) void wake(select.form)
  if (selects.length > 0) setTimeout(() => preload('status-dropdown'), SETTLED_MS)
}

async function wake(form: HTMLFormElement) {
  closeDeparted()
  const [cell, select] = [form.parentElement, form.querySelector('select')]
  // A row that left the list is switched off (`live.ts`).
  if (!cell || !select || select.disabled || isAlive(cell)) return
  const props = waiting.get(cell)?.props ?? propsOf(form, select)
  if (choiceIn(select) !== undefined) {
    waiting.set(cell, { props, select })
    // Nobody else's change takes the place of a row that is busy.
    select.setAttribute('aria-busy', 'true')
  }
  if (await bringAlive(cell, 'status-dropdown', props)) waiting.delete(cell)
  else sendWaiting(cell)
}

/** The props that a form was rendered with, read from it, so that no row carries them twice. */
function propsOf(form: HTMLFormElement, select: HTMLSelectElement): StatusDropdownProps {
  return {
    kind: new URL(form.action).pathname.split('/')[1] as keyof typeof KINDS,
    id: Number(form.closest('tr')?.id.replace('row-', '')),
    unit: (select.getAttribute('aria-label') ?? '').slice(NAMED.length),
    status: select.querySelector<HTMLOptionElement>('[selected]')?.value ?? select.value,
    version: Number(new URL(form.action).searchParams.get('version')),
  }
}

function sendWaiting(cell: HTMLElement) {
  const choice = waiting.get(cell)
  waiting.delete(cell)
  if (choice) void send(choice.props, choice.select.value)
}

/** Changes a status without its island, and shows what the server made of it. */
async function send(props: StatusDropdownProps, status: string): Promise<void> {
  const { kind, id, unit, version } = props
  // As `KINDS` has it; its addresses are not for the first script.
  const answer = await call<Stored>(`/api/${kind}/${id}/status`, { method: 'PATCH', body: { status, version } })
  const stored = answer.data ?? { status: props.status, version }
  show(props, stored)
  if (!answer.data) return showToast(failure('update status', answer), { tone: 'danger' })
  refreshCounts()
  showToast(`Unit ${unit} is now ${stored.status}`, {
    undo: () => void send({ ...props, status: stored.status, version: stored.version }, props.status),
  })
}

/** Puts a status into its row, which a sorted or searched list may have drawn anew. */
function show({ kind, id }: StatusDropdownProps, { status, version }: Stored) {
  const row = document.getElementById(`row-${id}`)
  const form = row?.querySelector<HTMLFormElement>(`.status-form[action^="/${kind}/"]`)
  const select = form?.querySelector('select')
  if (!row || !form?.parentElement || !select || isAlive(form.parentElement)) return
  for (const option of select.options) option.defaultSelected = option.value === status
  select.value = status
  select.removeAttribute('aria-busy')
  form.action = `${new URL(form.action).pathname}?version=${version}`
  row.dataset.version = String(version)
  form.className = statusClass(status)
}
