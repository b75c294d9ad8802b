import type { Found, NewName } from '../../db/schema'
import {
  DATA_TYPE_LABELS,
  type DataType,
  ENCODINGS,
  type Encoding,
  type ImportMode,
  NO_HEADINGS,
} from '../../db/vocabulary'
import { fieldLabel } from '../../src/platform/field-label'
import type { ShownColumn, ShownColumns } from '../../src/platform/imports/kinds'
import { paths } from '../../src/platform/paths'
import { showCount } from '../format'
import type { Option } from '../ui/fields'
import { NameQuestions } from './name-questions'

export type Props = {
  id: number
  dataType: DataType
  columns: ShownColumns
  existing: ImportMode
  found: Found
  newNames: NewName[]
  dateOrders: Record<string, 'month' | 'day'>
  /** One value for all rows, by field. */
  defaults: Record<string, string>
  locations: Option[]
  companies: Option[]
  /** Ids of similarly spelled options, most similar first, by `kind name`. */
  likely: Record<string, number[]>
  isAdmin: boolean
}

/** Id of the questions form, which the import button submits too. */
export const QUESTIONS = 'questions'

/** Form for all decisions of an import: columns, dates, names and existing records. */
export function Questions({
  id,
  dataType,
  columns,
  existing,
  found,
  newNames,
  dateOrders,
  defaults,
  locations,
  companies,
  likely,
  isAdmin,
}: Props) {
  const isAsking =
    found.missing.length + found.dates.filter(({ field }) => !dateOrders[field]).length + found.names.length > 0
  const nameQuestions = [
    ...newNames.map((name) => ({ ...name, rows: null, isNew: true })),
    ...found.names.map((name) => ({ ...name, isNew: false })),
  ]
  const filled = found.fields.filter(Boolean).length
  const defaultsForm = <Defaults columns={columns} found={found} defaults={defaults} {...{ locations, companies }} />
  return (
    <form
      id={QUESTIONS}
      method="post"
      action={paths.files.settle(id)}
      className="panel questions"
      data-busy="Checking..."
      data-draft=""
    >
      <h2>{isAsking ? 'Questions about this file' : 'File settings'}</h2>
      {found.missing.length > 0 && defaultsForm}
      {nameQuestions.length > 0 && (
        <NameQuestions
          names={nameQuestions}
          locations={locations}
          companies={companies}
          likely={likely}
          isAdmin={isAdmin}
        />
      )}
      <DateOrderQuestions dates={found.dates} orders={dateOrders} />
      <Sheets found={found} />
      {!isNamedByFields(found) && <HeaderRow found={found} />}
      <details open={found.missing.length > 0}>
        <summary>
          Columns: {showCount(filled)} of {showCount(found.header.length)} used
          {found.missing.length > 0 && (
            <strong className="text-danger"> · missing: {found.missing.map(fieldLabel).join(', ')}</strong>
          )}
        </summary>
        <Columns dataType={dataType} columns={columns} found={found} />
      </details>
      {found.missing.length === 0 && defaultsForm}
      <div className="field question-mode">
        <label htmlFor="existing">Rows whose record already exists</label>
        <select id="existing" name="existing" defaultValue={existing}>
          <option value="skip">Skip them as duplicates</option>
          <option value="update">Update the record; blank cells change nothing</option>
        </select>
      </div>
      <div className="form-buttons">
        <button type="submit" className={found.missing.length > 0 ? 'button button-primary' : 'button'}>
          Apply and check again
        </button>
      </div>
    </form>
  )
}

const ENCODING_LABELS: Record<Encoding, string> = {
  'utf-8': 'UTF-8',
  'windows-1252': 'Windows (Western Europe)',
  macintosh: 'Macintosh',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16, big endian',
}

/** Selects a workbook's sheet, or a text file's encoding. */
function Sheets({ found: { sheets = [], sheet, encoding, header } }: Pick<Props, 'found'>) {
  const isPlain = (!encoding || encoding === 'utf-8') && header.every((text) => /^[\x20-\x7e]*$/.test(text))
  return (
    <>
      {sheets.length > 1 && (
        <div className="field question-mode">
          <label htmlFor="sheet">Sheet of the workbook</label>
          <select id="sheet" name="sheet" defaultValue={sheet ?? ''}>
            {sheets.map(({ name, is_hidden }) => (
              <option key={name} value={name}>
                {name}
                {is_hidden ? ' (hidden)' : ''}
              </option>
            ))}
          </select>
        </div>
      )}
      {encoding && !isPlain && (
        <div className="field question-mode">
          <label htmlFor="encoding">Text encoding</label>
          <select id="encoding" name="encoding" defaultValue={encoding}>
            {ENCODINGS.map((name) => (
              <option key={name} value={name}>
                {ENCODING_LABELS[name]}
              </option>
            ))}
          </select>
        </div>
      )}
    </>
  )
}

/** One value for all rows, for fields without a column. Required fields are always visible, the others collapsed. */
function Defaults({
  columns,
  found,
  defaults,
  locations,
  companies,
}: Pick<Props, 'columns' | 'found' | 'defaults' | 'locations' | 'companies'>) {
  const isFree = ({ name }: { name: string }) => name !== 'unit_number' && !found.fields.includes(name)
  const required = columns.required.filter(isFree)
  const optional = columns.optional.filter(isFree)
  if (required.length + optional.length === 0) return null
  const field = ({ name, kind, words }: ShownColumn) => (
    <DefaultField
      key={name}
      name={name}
      value={defaults[name] ?? ''}
      isMissing={found.missing.includes(name)}
      choices={
        words ?? (kind === 'location' ? locations : kind === 'company' ? companies : []).map(({ label }) => label)
      }
      isDate={kind === 'date'}
    />
  )
  return (
    <fieldset className="defaults">
      <legend>One value for all rows</legend>
      <p className="hint">Used where the file has no column. Remembered for the next file with these columns.</p>
      <input type="hidden" name="defaults" value="1" />
      <div className="fields">{required.map(field)}</div>
      {optional.length > 0 && (
        <details open={optional.some(({ name }) => defaults[name])}>
          <summary>Other fields without a column</summary>
          <div className="fields">{optional.map(field)}</div>
        </details>
      )}
    </fieldset>
  )
}

type DefaultFieldProps = {
  name: string
  value: string
  isMissing: boolean
  choices: readonly string[]
  isDate: boolean
}

function DefaultField({ name, value, isMissing, choices, isDate }: DefaultFieldProps) {
  const id = `default-${name}`
  const props = { id, name: `default.${name}`, defaultValue: value, 'aria-invalid': isMissing || undefined }
  return (
    <div className="field">
      <label htmlFor={id}>{fieldLabel(name)}</label>
      {choices.length > 0 ? (
        <select {...props}>
          <option value="">{isMissing ? 'Choose...' : 'No value'}</option>
          {value && !choices.includes(value) && <option value={value}>{value}</option>}
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      ) : (
        <input {...props} maxLength={200} autoComplete="off" placeholder={isDate ? 'M/D/YYYY' : undefined} />
      )}
    </div>
  )
}

/** True if row 1 contains our field names, as samples do. No question about the heading row is needed then. */
const isNamedByFields = ({ header_row, header, fields }: Found) =>
  header_row === 1 && header.every((name, at) => name === fields[at])

/** Selects the heading row, because many spreadsheets have titles above the table. */
function HeaderRow({ found }: { found: Found }) {
  return (
    <div className="field question-mode">
      <label htmlFor="header_row">Header row</label>
      <select id="header_row" name="header_row" defaultValue={found.header_row}>
        {found.first_rows.map(({ row, cells }) => (
          <option key={row} value={row}>
            row {row}: {cells.filter(Boolean).join(', ').slice(0, 80)}
          </option>
        ))}
        <option value={NO_HEADINGS}>none: the file has no header row</option>
      </select>
    </div>
  )
}

/** Asks for the date order once for all columns, or per column. Most files use only one order. */
function DateOrderQuestions({ dates, orders }: { dates: Found['dates']; orders: Props['dateOrders'] }) {
  const dateQuestions = dates.map((date) => <DateOrderQuestion key={date.field} {...date} order={orders[date.field]} />)
  if (dates.length < 2) return dateQuestions
  const answers = new Set(dates.map(({ field }) => orders[field] ?? 'month'))
  const [answer] = answers.size === 1 ? answers : (['each'] as const)
  const choice = (value: typeof answer, label: string) => (
    <label>
      <input type="radio" name="date" value={value} defaultChecked={answer === value} /> {label}
    </label>
  )
  const labels = dates.map(({ field }) => fieldLabel(field)).join(', ')
  const samples = [...new Set(dates.flatMap(({ samples }) => samples))].slice(0, 3).join(', ')
  return (
    <>
      <fieldset className="question-date">
        <legend>
          {labels}: are {samples} written month first or day first?
        </legend>
        {choice('month', 'Month first (US)')}
        {choice('day', 'Day first')}
        {choice('each', 'Different for each column')}
      </fieldset>
      <details open={answer === 'each'}>
        <summary>Each date column</summary>
        {dateQuestions}
      </details>
    </>
  )
}

function DateOrderQuestion({
  field,
  samples,
  rows,
  order,
}: Found['dates'][number] & { order: 'month' | 'day' | undefined }) {
  const choice = (value: 'month' | 'day', label: string) => (
    <label>
      <input type="radio" name={`date.${field}`} value={value} defaultChecked={(order ?? 'month') === value} /> {label}
    </label>
  )
  return (
    <fieldset className="question-date">
      <legend>
        {fieldLabel(field)}: is {samples.join(', ')} written month first or day first?
      </legend>
      <p className="hint">
        {showCount(rows)} {rows === 1 ? 'row' : 'rows'} can be read both ways.
      </p>
      {choice('month', 'Month first (US)')}
      {choice('day', 'Day first')}
    </fieldset>
  )
}

function Columns({ dataType, columns, found }: Pick<Props, 'dataType' | 'columns' | 'found'>) {
  const { required, optional } = columns
  return (
    <table className="table table-plain">
      <caption className="visually-hidden">
        Columns of the file and the fields of {DATA_TYPE_LABELS[dataType]} that they fill
      </caption>
      <thead>
        <tr>
          <th scope="col">Column in the file</th>
          <th scope="col" className="samples">
            First values
          </th>
          <th scope="col">Field</th>
        </tr>
      </thead>
      <tbody>
        {found.header.map((text, at) => (
          <tr key={at}>
            <td>{text.trim() || <em>column {at + 1}</em>}</td>
            <td className="hint samples">{found.samples[at]?.join(' · ')}</td>
            <td>
              <select
                name={`field.${at}`}
                aria-label={`Field for column ${text}`}
                defaultValue={found.fields[at] ?? ''}
              >
                <option value="">None: ignore this column</option>
                {[...required, ...optional].map(({ name }) => (
                  <option key={name} value={name}>
                    {fieldLabel(name)}
                    {required.some((column) => column.name === name) ? ' (required)' : ''}
                  </option>
                ))}
              </select>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
