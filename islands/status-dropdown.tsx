import { useEffect, useState } from 'react'
import { call } from './call'
import { showToast } from './toast'

export type StatusDropdownProps = {
  /** Whose status it is, for the label and messages: `Unit 100200`. */
  of: string
  status: string
  version: number
  options: readonly string[]
  /** Statuses after which the record leaves the list. */
  leaving: string
  /** The record in the JSON API; its status is at `…/status`. */
  api: string
  /** Where the form posts without JavaScript. */
  action: string
}

type Stored = { status: string; version: number }

/** Changes a status where it stands. The server decides; until it has, the old status is what is true. */
export function StatusDropdown({ of, options, leaving, api, action, ...initial }: StatusDropdownProps) {
  const [stored, setStored] = useState<Stored>({ status: initial.status, version: initial.version })
  const [pending, setPending] = useState<string | null>(null)
  const [isLive, setLive] = useState(false)
  useEffect(() => setLive(true), [])

  const change = async (status: string) => {
    setPending(status)
    const answer = await call<Stored>(`${api}/status`, { method: 'PATCH', body: { status, version: stored.version } })
    if (answer.ok && answer.data) {
      setStored(answer.data)
      showToast(status === leaving ? `${of} is ${status} and leaves this list` : `${of} is now ${status}`)
    } else {
      showToast(answer.status === 409 ? `Failed to update status: ${answer.message}` : 'Failed to update status', 'danger')
      const current = answer.status === 409 ? await call<Stored>(api) : null
      if (current?.data) setStored(current.data)
    }
    setPending(null)
  }

  const status = pending ?? stored.status
  return (
    <form
      method="post"
      action={action}
      className={`status-form status-${status.toLowerCase().replaceAll(' ', '-')}`}
      onSubmit={(event) => isLive && event.preventDefault()}
    >
      <input type="hidden" name="version" value={stored.version} />
      <select
        name="status"
        aria-label={`Status of ${of}`}
        {...(isLive ? { value: status, onChange: (event) => void (pending === null && change(event.target.value)) } : { defaultValue: status })}
        aria-busy={pending !== null}
      >
        {options.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
      {!isLive && (
        <button type="submit" className="button button-quiet without-script">
          Set
        </button>
      )}
    </form>
  )
}
