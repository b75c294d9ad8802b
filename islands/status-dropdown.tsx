import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { call } from './call'
import { refreshCounts } from './head'
import { showFigures } from './row-figures'
import { KINDS, type StatusDropdownProps } from './status-kinds'
import { failure, NAMED, type Stored, statusClass } from './status-words'
import { showToast } from './toast'
import { today } from './today'

const RESTED_MS = 700

const inWords = (day: string) => day.replace(/^(\d+)-(\d+)-(\d+)$/, '$2/$3/$1')

/** A saved change, with the server's warnings. */
type Taken = Stored & { odd: string[] }

/** Changes a status in place. The old status remains the stored one until the server confirms. */
export function StatusDropdown({ kind, id, unit, ...initial }: StatusDropdownProps) {
  const { options, leaving, day, ...at } = KINDS[kind]
  const [api, action, of] = [at.api(id), at.action(id), `Unit ${unit}`]
  const [stored, setStored] = useState<Stored>({ status: initial.status, version: initial.version })
  /** The stored record, also for a key press before React renders it. */
  const latest = useRef(stored)
  const [pending, setPending] = useState<string | null>(null)
  const [isLive, setLive] = useState(false)
  /** The refused date, which leaving the field does not send again. */
  const [refused, setRefused] = useState<string | null>(null)
  /** The status and date entered while a change was being sent. */
  const next = useRef<string | null>(null)
  const nextDay = useRef<string | null>(null)
  const sentDay = useRef<string | null>(null)
  const dayField = useRef<HTMLInputElement>(null)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => setLive(true), [])

  const send = async (from: Stored, body: Record<string, unknown>, what = 'update status'): Promise<Taken | null> => {
    setPending(String(body.status))
    const answer = await call<Stored>(`${api}/status`, { method: 'PATCH', body: { ...body, version: from.version } })
    const current = answer.ok ? answer : answer.status === 409 ? await call<Stored>(api) : null
    if (current?.data) {
      latest.current = current.data
      setStored(current.data)
      const row = form.current?.closest('tr')
      if (row) row.dataset.version = String(current.data.version)
      row?.classList.toggle('is-done', current.data.status === leaving)
      showFigures(row, current.data)
    }
    setPending(null)
    if (answer.ok && answer.data) {
      refreshCounts()
      return { ...answer.data, odd: answer.warnings }
    }
    showToast(failure(what, answer), { tone: 'danger' })
    return null
  }

  const change = async (status: string, before = latest.current): Promise<void> => {
    const after = await send(before, { status })
    const chosen = next.current
    next.current = null
    const typedDay = nextDay.current
    nextDay.current = null
    if (!after) return
    if (typedDay !== null && after.status === leaving) return changeDay(typedDay, after)
    if (chosen !== null && chosen !== after.status) return change(chosen, after)
    const back = { status: before.status, ...(before[day.name] ? { [day.name]: before[day.name] } : {}) }
    const undo = async () => {
      const undone = await send(after, back)
      if (undone) showToast(`${of} is ${undone.status} again`)
    }
    showToast(
      status === leaving
        ? `${of} is now ${status} and will leave this list when you reload it`
        : `${of} is now ${status}`,
      {
        undo: () => void undo(),
      },
    )
  }

  /** Arrow keys step through the statuses; only the one they pause on is saved. */
  const walking = useRef<{ timer: ReturnType<typeof setTimeout>; status: string } | null>(null)
  const byKey = useRef(false)
  // The user may have started with the arrow keys before hydration.
  useEffect(() => {
    byKey.current = form.current?.querySelector('select')?.matches(':focus-visible') ?? false
  }, [])
  const settle = () => {
    const walked = walking.current
    if (!walked) return
    clearTimeout(walked.timer)
    walking.current = null
    if (walked.status === stored.status) setPending(null)
    else void change(walked.status)
  }
  const walk = (status: string) => {
    if (walking.current) clearTimeout(walking.current.timer)
    setPending(status)
    walking.current = { status, timer: setTimeout(() => settled.current(), RESTED_MS) }
  }
  const stay = () => {
    if (!walking.current) return
    clearTimeout(walking.current.timer)
    walking.current = null
    setPending(null)
  }
  // The timer must call the latest `settle`, not the one of its own render.
  const settled = useRef(settle)
  settled.current = settle

  const choose = (status: string) => {
    if (byKey.current && next.current === null && (pending === null || walking.current)) return walk(status)
    if (pending === null) return void (status !== stored.status && change(status))
    next.current = status
    setPending(status)
  }

  const changeDay = async (value: string, before = latest.current): Promise<void> => {
    if (!value || value === refused || value === sentDay.current) return
    // The status is still being saved, so the date follows it.
    if (before.status !== leaving) {
      if (value !== today()) nextDay.current = value
      return
    }
    if (value === before[day.name]) return
    sentDay.current = value
    const after = await send(before, { status: leaving, [day.name]: value }, 'change the date')
    sentDay.current = null
    setRefused(after ? null : value)
    if (!after) return
    const said = (value: unknown) => `${of}: ${day.label.toLowerCase()} ${inWords(String(value))}`
    const undo = async () => {
      const undone = await send(after, { status: leaving, [day.name]: before[day.name] }, 'change the date')
      if (undone) showToast(`${said(undone[day.name])} again`)
    }
    showToast([said(value), ...after.odd].join('. '), {
      undo: () => void undo(),
      tone: after.odd.length > 0 ? 'danger' : 'success',
    })
  }

  // Leaving the page with the cursor in the date field saves the date.
  useEffect(() => {
    const leave = () => {
      const typed = form.current?.querySelector<HTMLInputElement>('input[type=date]')
      if (typed) void changeDay(typed.value)
      settled.current()
    }
    window.addEventListener('pagehide', leave)
    return () => window.removeEventListener('pagehide', leave)
  })

  const status = pending ?? stored.status
  const shownDay = isLive ? String(stored[day.name] ?? today()) : ''
  // Shows a newly stored date, and restores it after a refused one. Input made while the status is sent stays.
  useEffect(() => {
    if (dayField.current) dayField.current.value = shownDay
  }, [shownDay, refused])
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
        aria-label={NAMED + unit}
        {...(isLive ? { value: status } : { defaultValue: status })}
        onChange={(event) => choose(event.target.value)}
        onKeyDown={({ key }) => {
          byKey.current = true
          if (key === 'Enter') settle()
          if (key === 'Escape') stay()
        }}
        // An open menu takes Escape, but still selects its current option. Only `keyup` arrives.
        onKeyUp={({ key }) => {
          if (key === 'Escape') stay()
        }}
        onPointerDown={() => {
          byKey.current = false
        }}
        onBlur={settle}
        aria-busy={pending !== null || undefined}
      >
        {options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
      {/* Shown at once for keyboard users. Until the server returns the date, it is today. */}
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
    </form>
  )
}
