import { type DragEvent, useEffect, useRef, useState } from 'react'
import { Guidelines, type GuidelinesProps } from '../views/files/guidelines'
import { ResultCard, type ResultCardProps } from '../views/files/result-card'
import { upload } from './upload'

export type DropzoneProps = {
  action: string
  api: string
  maxBytes: number
  dataType: string
  kinds: ({ value: string } & GuidelinesProps)[]
}

type State =
  | { phase: 'idle' }
  | { phase: 'processing'; percent: number }
  | { phase: 'done'; message: string; result: ResultCardProps }
  | { phase: 'refused'; message: string; result?: ResultCardProps | undefined }

const NO_TYPE = 'Please select a data type first'

/** Why a dropped selection cannot be uploaded, or null. The server judges the content; this only saves the trip. */
function rejection(files: File[], maxBytes: number): string | null {
  if (files.length > 1) return 'Too many files: drop one at a time'
  const [file] = files
  if (!file) return 'Please choose a file'
  if (!/\.(xlsx?|csv)$/i.test(file.name)) return 'File type is not accepted: use .xls, .xlsx or .csv'
  if (file.size === 0) return 'File is too small: it is empty'
  if (file.size > maxBytes) return `File is too large: at most ${Math.floor(maxBytes / 1024 / 1024)} MB`
  return null
}

/** Takes one spreadsheet, by drag and drop, by click, or by the plain form around it. */
export function Dropzone({ action, api, maxBytes, kinds, dataType: initial }: DropzoneProps) {
  const [dataType, setDataType] = useState(initial)
  const [state, setState] = useState<State>({ phase: 'idle' })
  const [isOver, setOver] = useState(false)
  const [isLive, setLive] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => setLive(true), [])

  const isProcessing = state.phase === 'processing'
  const isOff = isLive && (!dataType || isProcessing)

  const take = async (files: File[]) => {
    if (isProcessing) return
    if (!dataType) return setState({ phase: 'refused', message: NO_TYPE })
    const refused = rejection(files, maxBytes)
    if (refused) return setState({ phase: 'refused', message: refused })
    setState({ phase: 'processing', percent: 0 })
    const answer = await upload(api, { file: files[0] as File, data_type: dataType }, (percent) => setState({ phase: 'processing', percent }))
    if (answer.ok && answer.result) {
      setState({ phase: 'done', message: `File processed successfully! ${answer.result.imported} records imported`, result: answer.result })
    } else setState({ phase: 'refused', message: answer.message || 'File upload failed' })
    if (input.current) input.current.value = ''
  }

  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void take([...event.dataTransfer.files])
  }

  const shown = dataType ? kinds.filter((kind) => kind.value === dataType) : kinds
  return (
    <div className="upload">
      <form className="panel upload-form" method="post" action={action} encType="multipart/form-data">
        {(state.phase === 'done' || state.phase === 'refused') && (
          <p className={`banner banner-${state.phase === 'done' ? 'success' : 'danger'}`} role="alert">
            {state.message}
          </p>
        )}
        <div className="field">
          <label htmlFor="data_type">Data type</label>
          <select id="data_type" name="data_type" value={dataType} onChange={(event) => setDataType(event.target.value)} disabled={isProcessing}>
            <option value="">Choose what the file holds…</option>
            {kinds.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </div>
        <label
          className={`dropzone${isOver ? ' is-over' : ''}${isOff ? ' is-off' : ''}`}
          onDragOver={(event) => {
            event.preventDefault()
            setOver(!isOff)
          }}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
          aria-busy={isProcessing}
        >
          <input
            ref={input}
            type="file"
            name="file"
            accept=".xls,.xlsx,.csv"
            disabled={isOff}
            onChange={(event) => void (isLive && take([...(event.target.files ?? [])]))}
          />
          <strong>{isProcessing ? 'Processing file...' : isOver ? 'Drop the file here' : 'Drag a file here, or click to browse'}</strong>
          <span>
            {isProcessing ? `${state.percent}% sent` : isOff ? NO_TYPE : `One .xls, .xlsx or .csv file of at most ${Math.floor(maxBytes / 1024 / 1024)} MB`}
          </span>
        </label>
        {!isLive && (
          <button type="submit" className="button button-primary without-script">
            Upload
          </button>
        )}
      </form>
      {(state.phase === 'done' || state.phase === 'refused') && state.result && <ResultCard {...state.result} />}
      <div className="guidelines-list">
        {shown.map(({ value, ...kind }) => (
          <Guidelines key={value} {...kind} />
        ))}
      </div>
    </div>
  )
}
