import { type DragEvent, useEffect, useRef, useState } from 'react'
import { Guidelines, type GuidelinesProps } from '../views/imports/guidelines'
import { ImportProgress } from '../views/imports/progress'
import { outcomeTone, outcomeWords, ResultCard, type ResultCardProps } from '../views/imports/result-card'
import { call } from './call'
import { refreshCounts } from './refresh-counts'
import { type ImportState, sendFile, watchImport } from './upload'
import { UploadChoices, useChoices } from './upload-choices'

export type DropzoneProps = {
  action: string
  /**
   * URL to which files are uploaded.
   * `{files}/{id}` is the URL of an import in the API, and `{pages}/{id}` is the URL of its page.
   */
  api: string
  files: string
  pages: string
  maxBytes: number
  dataType: string
  kinds: ({ value: string } & GuidelinesProps)[]
}

type State =
  | { phase: 'idle' }
  | { phase: 'sending'; percent: number }
  | { phase: 'working'; id: number; progress: ImportState | null }
  | { phase: 'done'; id: number; message: string; result: ResultCardProps }
  | { phase: 'refused'; message: string; id?: number }

const NO_TYPE = 'Please select a data type first'

const megabytes = (bytes: number) => Math.floor(bytes / 1024 / 1024)

/**
 * Returns a message if the chosen files cannot be uploaded.
 * This check only avoids useless uploads. The server checks the content of the files.
 */
function rejection(files: File[], maxBytes: number): string | null {
  if (files.length > 1) return 'Too many files: drop one at a time'
  const [file] = files
  if (!file) return 'Please choose a file'
  if (!/\.(xlsx?|csv)$/i.test(file.name)) return 'File type is not accepted: use .xls, .xlsx or .csv'
  if (file.size === 0) return 'File is too small: it is empty'
  if (file.size > maxBytes) return `File is too large: at most ${megabytes(maxBytes)} MB`
  return null
}

const toneOf = (state: Extract<State, { phase: 'done' | 'refused' }>) =>
  state.phase === 'refused' ? 'danger' : outcomeTone(state.result)

export function Dropzone({ action, api, files, pages, maxBytes, kinds, dataType: initial }: DropzoneProps) {
  const [dataType, setDataType] = useState(initial)
  const [choices, choose] = useChoices()
  const [state, setState] = useState<State>({ phase: 'idle' })
  const [isOver, setOver] = useState(false)
  const [isLive, setLive] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => setLive(true), [])

  const isProcessing = state.phase === 'sending' || state.phase === 'working'
  const isOff = isLive && (!dataType || isProcessing)

  const follow = async (id: number) => {
    const end = await watchImport(`${files}/${id}`, (progress) => setState({ phase: 'working', id, progress }))
    if (!end)
      return setState({ phase: 'refused', id, message: 'The connection was lost. The import continues on the server.' })
    refreshCounts()
    if (end.status === 'done') {
      return setState({
        phase: 'done',
        id,
        message: outcomeWords(end),
        result: end,
      })
    }
    if (end.status === 'ready') return location.assign(`${pages}/${id}`)
    // Cancel the import. Otherwise, an unreadable file would stay in the list as an unfinished import.
    if (end.status === 'refused') await call(`${files}/${id}/cancel`, { method: 'POST' })
    setState({ phase: 'refused', message: end.message || 'File upload failed' })
  }

  const take = async (droppedFiles: File[]) => {
    if (isProcessing) return
    const refusal = dataType ? rejection(droppedFiles, maxBytes) : NO_TYPE
    if (refusal) {
      // Clear the input, so that the user can correct the file and choose it again.
      if (input.current) input.current.value = ''
      return setState({ phase: 'refused', message: refusal })
    }
    setState({ phase: 'sending', percent: 0 })
    const uploadInput = {
      file: droppedFiles[0] as File,
      data_type: dataType,
      existing: choices.existing,
      commit: choices.after === 'import',
      ask: true,
    }
    const { id, message } = await sendFile(api, uploadInput, (percent) => setState({ phase: 'sending', percent }))
    if (id === null) setState({ phase: 'refused', message: message || 'File upload failed' })
    else if (choices.after === 'preview') return location.assign(`${pages}/${id}`)
    else {
      setState({ phase: 'working', id, progress: null })
      await follow(id)
    }
    if (input.current) input.current.value = ''
  }

  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void take([...event.dataTransfer.files])
  }

  const chooseType = (type: string) => {
    setDataType(type)
    if (state.phase === 'refused' && state.message === NO_TYPE) setState({ phase: 'idle' })
  }

  const shownKinds = dataType ? kinds.filter((kind) => kind.value === dataType) : kinds
  return (
    <div className="upload">
      <form className="panel upload-form" method="post" action={action} encType="multipart/form-data">
        {(state.phase === 'done' || state.phase === 'refused') && (
          <p className={`banner banner-${toneOf(state)}`} role="alert">
            {state.message}{' '}
            {state.id !== undefined && (
              <a href={`${pages}/${state.id}${state.phase === 'done' && state.result.failed > 0 ? '/mend' : ''}`}>
                {state.phase !== 'done'
                  ? 'Go to this import'
                  : state.result.failed > 0
                    ? 'Fix the failed rows'
                    : 'Open this import'}
              </a>
            )}
          </p>
        )}
        <UploadChoices
          kinds={kinds}
          dataType={dataType}
          setDataType={chooseType}
          choices={choices}
          choose={choose}
          isOff={isProcessing}
        />
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
          <strong>
            {isProcessing
              ? 'Processing file...'
              : isOver
                ? 'Drop the file here'
                : 'Drag a file here, or click to browse'}
          </strong>
          {state.phase === 'sending' && <progress max={100} value={state.percent} aria-label="Sending the file" />}
          {state.phase === 'working' && state.progress ? (
            <ImportProgress
              status={state.progress.status}
              progress={state.progress.progress}
              rowCount={state.progress.row_count}
            />
          ) : (
            <span>
              {state.phase === 'sending'
                ? `${state.percent}% sent`
                : isOff
                  ? NO_TYPE
                  : `One .xls, .xlsx or .csv file of at most ${megabytes(maxBytes)} MB`}
            </span>
          )}
        </label>
        {!isLive && (
          <button type="submit" className="button button-primary without-script">
            Upload
          </button>
        )}
      </form>
      {state.phase === 'done' && <ResultCard {...state.result} />}
      <div className="guidelines-list">
        {shownKinds.map(({ value, ...kind }) => (
          <Guidelines key={value} {...kind} isOpen={shownKinds.length === 1} />
        ))}
      </div>
    </div>
  )
}
