import { type KeyboardEvent, useEffect, useState } from 'react'
import { call } from './call'
import { refreshCounts } from './head'
import { showToast } from './toast'

export type StatusDropdownProps = {
  /** Whose status it is, for the label and messages: `Unit 100200`. */
  of: string
  status: string
  version: number
  options: readonly string[]
  /** Statuses after which the record leaves the list. */
  leaving: string
  /** The day that goes with leaving: its field in the API, and what people call it. */
  day: { name: string; label: string }
  /** The record in the JSON API; its status is at `…/status`. */
  api: string
  /** Where the form posts without JavaScript. */
  action: string
}

type Stored = { status: string; version: number } & Record<string, unknown>

/** Changes a status where it stands. The server decides; until it has, the old status is what is true. */
export function StatusDropdown({ of, options, leaving, day, api, action, ...initial }: StatusDropdownProps) {
  const [stored, setStored] = useState<Stored>({ status: initial.status, version: initial.version })
  const [pending, setPending] = useState<string | null>(null)
  const [isLive, setLive] = useState(false)
  useEffect(() => setLive(true), [])

  const send = async (from: Stored, body: Record<string, unknown>): Promise<Stored | null> => {
    setPending(String(body.status))
    const answer = await call<Stored>(`${api}/status`, { method: 'PATCH', body: { ...body, version: from.version } })
    const current = answer.ok ? answer : answer.status === 409 ? await call<Stored>(api) : null
    if (current?.data) setStored(current.data)
    setPending(null)
    if (answer.ok && answer.data) {
      refreshCounts()
      return answer.data
    }
    showToast(failure(answer), { tone: 'danger' })
    return null
  }

  const change = async (status: string) => {
    const before = stored
    const after = await send(before, { status })
    if (!after) return
    const back = { status: before.status, ...(before[day.name] ? { [day.name]: before[day.name] } : {}) }
    const undo = async () => {
      const undone = await send(after, back)
      if (undone) showToast(`${of} is ${undone.status} again`)
    }
    showToast(status === leaving ? `${of} is ${status} and leaves this list next time` : `${of} is now ${status}`, { undo: () => void undo() })
  }

  const changeDay = async (value: string) => {
    if (!value || value === stored[day.name]) return
    if (await send(stored, { status: leaving, [day.name]: value }))
      showToast(`${of}: ${day.label.toLowerCase()} ${value.replace(/^(\d+)-(\d+)-(\d+)$/, '$2/$3/$1')}`)
  }

  const status = pending ?? stored.status
  return (
    <form
      method="post"
      action={action}
      className={`status-form status-${status.toLowerCase().replaceAll(' ', '-')}`}
      onSubmit={(event) => isLive && event.preventDefault()}
      autoComplete="off"
    >
      <input type="hidden" name="version" value={stored.version} />
      <select
        name="status"
        aria-label={`Status of ${of}`}
        {...(isLive ? { value: status } : { defaultValue: status })}
        onChange={(event) => void (pending === null && event.target.value !== stored.status && change(event.target.value))}
        aria-busy={pending !== null}
      >
        {options.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
      {stored.status === leaving && typeof stored[day.name] === 'string' && (
        <label className="status-day">
          {day.label}{' '}
          <input
            key={stored.version}
            type="date"
            name={day.name}
            defaultValue={String(stored[day.name])}
            onBlur={(event) => void changeDay(event.target.value)}
            onKeyDown={(event: KeyboardEvent<HTMLInputElement>) => event.key === 'Enter' && void changeDay(event.currentTarget.value)}
          />
        </label>
      )}
      {!isLive && (
        <button type="submit" className="button button-quiet without-script">
          Set
        </button>
      )}
    </form>
  )
}

/** Why a change was not made, in the server's words when it has any. */
function failure({ status, message }: { status: number; message: string }): string {
  if (status === 0) return 'Failed to update status: the server cannot be reached'
  return message ? `Failed to update status: ${message}` : 'Failed to update status'
}
