import { useEffect, useState } from 'react'

export type UploadOptions = { after: 'import' | 'preview'; existing: 'skip' | 'update' }

const STORAGE_KEY = 'yardmaster.import'

/** State of the user's choices for an upload. The browser remembers only whether the user wants a preview first. */
export function useChoices(): [UploadOptions, (change: Partial<UploadOptions>) => void] {
  const [choices, setChoices] = useState<UploadOptions>({ after: 'import', existing: 'skip' })
  useEffect(() => {
    if (localStorage.getItem(STORAGE_KEY) === 'preview') setChoices({ after: 'preview', existing: 'skip' })
  }, [])
  const choose = (change: Partial<UploadOptions>) => {
    if (change.after) localStorage.setItem(STORAGE_KEY, change.after)
    setChoices((current) => ({ ...current, ...change }))
  }
  return [choices, choose]
}

type Props = {
  kinds: { value: string; label: string }[]
  dataType: string
  setDataType: (dataType: string) => void
  choices: UploadOptions
  choose: (change: Partial<UploadOptions>) => void
  isOff: boolean
}

export function UploadChoices({ kinds, dataType, setDataType, choices, choose, isOff }: Props) {
  return (
    <div className="upload-choices">
      <div className="field">
        <label htmlFor="data_type">Data type</label>
        <select
          id="data_type"
          name="data_type"
          value={dataType}
          onChange={(event) => setDataType(event.target.value)}
          disabled={isOff}
        >
          <option value="">Choose a data type…</option>
          {kinds.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <div className="field">
        <label htmlFor="after">After upload</label>
        <select
          id="after"
          name="after"
          value={choices.after}
          onChange={(event) => choose({ after: event.target.value as UploadOptions['after'] })}
          disabled={isOff}
        >
          <option value="import">Import immediately</option>
          <option value="preview">Show a preview first</option>
        </select>
      </div>
      <div className="field">
        <label htmlFor="existing">Existing records</label>
        <select
          id="existing"
          name="existing"
          value={choices.existing}
          onChange={(event) => choose({ existing: event.target.value as UploadOptions['existing'] })}
          disabled={isOff}
        >
          <option value="skip">Skip as duplicates</option>
          <option value="update">Update; blank cells change nothing</option>
        </select>
      </div>
    </div>
  )
}
