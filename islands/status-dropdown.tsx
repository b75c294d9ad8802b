import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { call } from './call'
import { refreshCounts } from './refresh-counts'
import { showFigures } from './row-figures'
import { STATUS_KINDS, type StatusDropdownProps } from './status-kinds'
import { failure, isStored, LABEL_PREFIX, notSaved, type StoredStatus, statusClass } from './status-text'
import { showToast } from './toast'
import { today } from './today'

/**
 * Delay before saving a status chosen by keyboard in an open list.
 * When Escape closes the list, the browser reports the current option as chosen. The delay leaves time for the `keyup`
 * event of Escape, which discards this choice.
 */
const LIST_MS = 700

const inWords = (day: string) => day.replace(/^(\d+)-(\d+)-(\d+)$/, '$2/$3/$1')

/** Keys that open the list of a closed select. */
const LIST_KEYS = [' ', 'Enter', 'F4']

type StatusResult = StoredStatus & { warnings: string }

/**
 * Select that changes the status of a record in its table row.
 * `stored` keeps the old status until the server confirms the change.
 */
export function StatusDropdown({ kind, id, unit, ...initial }: StatusDropdownProps) {
  const { options, leaving, day, ...at } = STATUS_KINDS[kind]
  const [api, action, unitLabel] = [at.api(id), at.action(id), `Unit ${unit}`]
  const [stored, setStored] = useState<StoredStatus>({ status: initial.status, version: initial.version })
  /**
   * A copy of the state `stored` that is always up to date.
   * The state can be outdated, because the user can press a key before React has rendered again.
   */
  const latest = useRef(stored)
  const [pending, setPending] = useState<string | null>(null)
  const [isLive, setLive] = useState(false)
  /** Text about a status or date that could not be saved. It stays until a later change succeeds. */
  const [unsaved, setUnsaved] = useState<string | null>(null)
  /** Date that could not be saved. It is not sent again when the user leaves the date field. */
  const [refusedStatus, setRefusedStatus] = useState<string | null>(null)
  /**
   * Status chosen while another change was being saved.
   * It is saved after that change. `nextDay` is a date entered in the meantime.
   */
  const next = useRef<string | null>(null)
  const nextDay = useRef<string | null>(null)
  const sentDay = useRef<string | null>(null)
  const dayField = useRef<HTMLInputElement>(null)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => setLive(true), [])

  const send = async (
    from: StoredStatus,
    body: Record<string, unknown>,
    actionLabel = 'update status',
  ): Promise<StatusResult | null> => {
    setPending(String(body.status))
    const answer = await call<StoredStatus>(`${api}/status`, {
      method: 'PATCH',
      body: { ...body, version: from.version },
    })
    // Without a response, only the stored record shows whether the change was saved.
    const isUnknown = answer.status === 0
    const current = answer.ok ? answer : isUnknown || answer.status === 409 ? await call<StoredStatus>(api) : null
    const hasArrived = isUnknown && isStored(current?.data, from, body)
    if (current?.data) {
      latest.current = current.data
      setStored(current.data)
      const row = form.current?.closest('tr')
      if (row) row.dataset.version = String(current.data.version)
      row?.classList.toggle('is-done', current.data.status === leaving)
      showFigures(row, current.data)
    }
    setPending(null)
    // The text about a change that failed before React took over.
    form.current?.querySelector('p[data-unsaved]')?.remove()
    const saved = answer.ok ? answer.data : hasArrived ? current?.data : null
    setUnsaved(saved ? null : notSaved(inWords(String(body[day.name] ?? body.status)), isUnknown && !current?.data))
    if (saved) {
      refreshCounts()
      return { ...saved, warnings: answer.warnings }
    }
    showToast(failure(actionLabel, answer, { isLookedUp: Boolean(current?.data) }), { tone: 'danger' })
    return null
  }

  const change = async (status: string, before = latest.current): Promise<void> => {
    const after = await send(before, { status })
    const selectedStatus = next.current
    next.current = null
    const typedDay = nextDay.current
    nextDay.current = null
    if (!after) return
    if (typedDay !== null && after.status === leaving) return changeDay(typedDay, after)
    if (selectedStatus !== null && selectedStatus !== after.status) return change(selectedStatus, after)
    const back = { status: before.status, ...(before[day.name] ? { [day.name]: before[day.name] } : {}) }
    const undo = async () => {
      // A later change of this user may have been undone before, which changed the version.
      const undone = await send(latest.current, back)
      if (undone) showToast(`${unitLabel} is ${undone.status} again`)
    }
    showToast(
      `${unitLabel} is now ${status}${after.warnings}` +
        (status === leaving ? '. It disappears from this list when you reload' : ''),
      {
        undo: () => void undo(),
      },
    )
  }

  /**
   * Status that the user reached with the keyboard on a closed select. The browser reports every key press as a
   * change. The status is therefore saved only after Enter or when the user leaves the select. Escape discards it.
   */
  const [step, setStep] = useState<string | null>(null)
  const stepped = useRef(step)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  /**
   * How the user makes the next change.
   * `key` means with the keyboard on the closed select. `list` means in a list that was opened with the keyboard.
   * `pointer` means with the mouse or a finger.
   */
  const input = useRef<'key' | 'list' | 'pointer'>('pointer')
  // If the user moved to the select with the keyboard before React took over, the last input was the keyboard.
  useEffect(() => {
    if (form.current?.querySelector('select')?.matches(':focus-visible')) input.current = 'key'
  }, [])
  const showStep = (status: string | null) => {
    clearTimeout(timer.current)
    stepped.current = status
    setStep(status)
  }
  const saveStep = () => {
    const status = stepped.current
    showStep(null)
    if (status !== null && status !== latest.current.status) void change(status)
  }
  const stepTo = (status: string) => {
    showStep(status)
    if (input.current === 'list') timer.current = setTimeout(() => saveLatest.current(), LIST_MS)
  }
  // The timer must call the latest `saveStep`, not the one of the render that started the timer.
  const saveLatest = useRef(saveStep)
  saveLatest.current = saveStep

  const choose = (status: string) => {
    if (input.current !== 'pointer' && pending === null) return stepTo(status)
    if (pending === null) return void (status !== stored.status && change(status))
    next.current = status
    setPending(status)
  }

  const changeDay = async (value: string, before = latest.current): Promise<void> => {
    if (!value || value === refusedStatus || value === sentDay.current) return
    // If the new status is not saved yet, remember the date and save it after the status.
    if (before.status !== leaving) {
      if (value !== today()) nextDay.current = value
      return
    }
    if (value === before[day.name]) return
    sentDay.current = value
    const after = await send(before, { status: leaving, [day.name]: value }, 'change the date')
    sentDay.current = null
    setRefusedStatus(after ? null : value)
    if (!after) return
    const dateText = (value: unknown) => `${unitLabel}: ${day.label.toLowerCase()} ${inWords(String(value))}`
    const undo = async () => {
      const undone = await send(latest.current, { status: leaving, [day.name]: before[day.name] }, 'change the date')
      if (undone) showToast(`${dateText(undone[day.name])} again`)
    }
    showToast(dateText(value) + after.warnings, {
      undo: () => void undo(),
      tone: after.warnings ? 'danger' : 'success',
    })
  }

  // When the user leaves the page, save an unsaved date and an unsaved status that was chosen with the keyboard.
  useEffect(() => {
    const leave = () => {
      const dateField = form.current?.querySelector<HTMLInputElement>('input[type=date]')
      if (dateField) void changeDay(dateField.value)
      saveLatest.current()
    }
    window.addEventListener('pagehide', leave)
    return () => window.removeEventListener('pagehide', leave)
  })

  const status = step ?? pending ?? stored.status
  const shownDay = isLive ? String(stored[day.name] ?? today()) : ''
  // Show a newly stored date. After a rejected change, show the stored date again. A date typed while the status is
  // being saved stays in the field.
  useEffect(() => {
    if (dayField.current) dayField.current.value = shownDay
  }, [shownDay, refusedStatus])
  return (
    <form
      ref={form}
      method="post"
      action={`${action}?version=${stored.version}`}
      className={statusClass(status)}
      onSubmit={(event) => isLive && event.preventDefault()}
      autoComplete="off"
    >
      <select
        name="status"
        aria-label={LABEL_PREFIX + unit}
        {...(isLive ? { value: status } : { defaultValue: status })}
        onChange={(event) => choose(event.target.value)}
        onKeyDown={(event) => {
          const { key, altKey } = event
          if (key === 'Enter' && step !== null) {
            // Prevent the browser from opening the list.
            event.preventDefault()
            saveStep()
          }
          if (key === 'Escape' && step !== null) {
            showStep(null)
            // Stop the event, because `keys.ts` would also handle Escape and move the focus to the row.
            event.stopPropagation()
          }
          input.current = altKey || LIST_KEYS.includes(key) ? 'list' : 'key'
        }}
        // Use `keyup`, because the browser itself handles `keydown` while the list is open. The browser selects the
        // current option after both Enter and Escape.
        onKeyUp={({ key }) => {
          if (key === 'Enter') saveStep()
          if (key === 'Escape') showStep(null)
        }}
        onPointerDown={() => {
          input.current = 'pointer'
        }}
        onBlur={saveStep}
        aria-busy={pending !== null || step !== null || undefined}
        data-step={step === null ? undefined : ''}
      >
        {options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
      <span className="status-hint" role="status">
        {step !== null && step !== stored.status && 'Press Enter to save'}
      </span>
      {/* The date field appears as soon as the status is selected, so that keyboard users can move to it. It shows
          today until the server returns the stored date. */}
      {isLive && status === leaving && (
        <label className="status-day">
          {day.label}{' '}
          <input
            ref={dayField}
            type="date"
            name={day.name}
            defaultValue={shownDay}
            onBlur={(event) => void changeDay(event.target.value)}
            onKeyDown={(event: KeyboardEvent<HTMLInputElement>) =>
              event.key === 'Enter' && void changeDay(event.currentTarget.value)
            }
          />
        </label>
      )}
      {!isLive && <button type="submit">Set</button>}
      {unsaved !== null && (
        <span className="field-error" data-unsaved="">
          {unsaved}
        </span>
      )}
    </form>
  )
}
