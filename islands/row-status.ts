import { call } from './call'
import { choiceIn, closeDeparted, hydrateElement, isHydrated, preload } from './element'
import { showFieldError } from './field-error'
import { refreshCounts } from './refresh-counts'
import type { STATUS_KINDS, StatusDropdownProps } from './status-kinds'
import { failure, isStored, LABEL_PREFIX, notSaved, type StoredStatus, statusClass } from './status-text'
import { showToast } from './toast'

/** Events after which React takes over the status form of a row. `change` can come before the other events. */
const HYDRATION_EVENTS = ['pointerover', 'focusin', 'change']

/** Delay before `status-dropdown` loads, so that old PCs finish the page. */
const SETTLED_MS = 1500

/** Status changes that wait for the code of the status form. The key is the table cell. */
const waiting = new Map<HTMLElement, { props: StatusDropdownProps; select: HTMLSelectElement }>()

/**
 * Lets React take over a row's status form at its first use.
 * Until then, the form is plain HTML, so that long lists stay fast on old PCs. If the user changes a status before
 * React is ready, React saves the status as soon as it is ready. If the code does not load, or the row or page
 * disappears first, the status is saved without React.
 */
export function rowStatus() {
  for (const turn of HYDRATION_EVENTS)
    document.addEventListener(turn, ({ target }) => {
      const form = target instanceof Element ? target.closest<HTMLFormElement>('.status-form') : null
      if (form) void hydrateForm(form)
    })
  window.addEventListener('pagehide', () => [...waiting.keys()].forEach(sendWaiting))
  const selects = document.querySelectorAll<HTMLSelectElement>('.status-form select')
  // Include selects that the user changed before this script ran, or in which the browser restored an earlier choice.
  for (const select of selects) if (select.form && choiceIn(select) !== undefined) void hydrateForm(select.form)
  if (selects.length > 0) setTimeout(() => preload('status-dropdown'), SETTLED_MS)
}

async function hydrateForm(form: HTMLFormElement) {
  closeDeparted()
  const [cell, select] = [form.parentElement, form.querySelector('select')]
  // Skip disabled selects. `live.ts` disables the rows of records that have left the list.
  if (!cell || !select || select.disabled || isHydrated(cell)) return
  const props = waiting.get(cell)?.props ?? propsOf(form, select)
  if (choiceIn(select) !== undefined) {
    waiting.set(cell, { props, select })
    // Mark the row as busy, so that live updates do not replace it.
    select.setAttribute('aria-busy', 'true')
  }
  if (await hydrateElement(cell, 'status-dropdown', props)) waiting.delete(cell)
  else sendWithoutIsland(cell)
}

/** Reads the props from the HTML form. The page then does not contain the same data twice. */
function propsOf(form: HTMLFormElement, select: HTMLSelectElement): StatusDropdownProps {
  return {
    kind: new URL(form.action).pathname.split('/')[1] as keyof typeof STATUS_KINDS,
    id: Number(form.closest('tr')?.id.replace('row-', '')),
    unit: (select.getAttribute('aria-label') ?? '').slice(LABEL_PREFIX.length),
    status: select.querySelector<HTMLOptionElement>('[selected]')?.value ?? select.value,
    version: Number(new URL(form.action).searchParams.get('version')),
  }
}

function sendWaiting(cell: HTMLElement) {
  const choice = waiting.get(cell)
  waiting.delete(cell)
  if (choice) void send(choice.props, choice.select.value)
}

/**
 * Saves a changed status without React.
 * A keyboard user may still be moving through the choices. The status is therefore saved only after Enter or when the
 * user leaves the select.
 */
function sendWithoutIsland(cell: HTMLElement) {
  const select = waiting.get(cell)?.select
  if (!select?.matches(':focus-visible')) return sendWaiting(cell)
  const keep = new AbortController()
  const end = () => {
    keep.abort()
    if (select.selectedOptions[0]?.defaultSelected) waiting.delete(cell)
    else sendWaiting(cell)
  }
  select.addEventListener('blur', end, { signal: keep.signal })
  select.addEventListener('keydown', ({ key }) => key === 'Enter' && end(), { signal: keep.signal })
}

async function send(props: StatusDropdownProps, status: string): Promise<void> {
  const { kind, id, unit, version } = props
  // The URL is repeated here, because importing it from `STATUS_KINDS` would make the boot script larger.
  const answer = await call<StoredStatus>(`/api/${kind}/${id}/status`, { method: 'PATCH', body: { status, version } })
  // Without a response, only the stored record shows whether the change was saved.
  const current = answer.status === 0 ? (await call<StoredStatus>(`/api/${kind}/${id}`)).data : null
  const saved = answer.data ?? (isStored(current, props, { status }) ? current : null)
  const stored = saved ?? current ?? { status: props.status, version }
  show(props, stored, saved ? '' : notSaved(status, answer.status === 0 && current === null))
  if (!saved) return showToast(failure('update status', answer, { isLookedUp: current !== null }), { tone: 'danger' })
  refreshCounts()
  showToast(`Unit ${unit} is now ${stored.status}${answer.warnings}`, {
    undo: () => void send({ ...props, status: stored.status, version: stored.version }, props.status),
  })
}

/** Finds the row by id, because its element may have been replaced. Sorting and searching replace elements. */
function show({ kind, id }: StatusDropdownProps, { status, version }: StoredStatus, error: string) {
  const row = document.getElementById(`row-${id}`)
  const form = row?.querySelector<HTMLFormElement>(`.status-form[action^="/${kind}/"]`)
  const select = form?.querySelector('select')
  if (!row || !form?.parentElement || !select || isHydrated(form.parentElement)) return
  for (const option of select.options) option.defaultSelected = option.value === status
  select.value = status
  select.removeAttribute('aria-busy')
  form.action = `${new URL(form.action).pathname}?version=${version}`
  row.dataset.version = String(version)
  form.className = statusClass(status)
  showFieldError(form, 'unsaved', error)
}
