import type { Found } from '../../db/schema'
import { DATA_TYPE_LABELS, DATA_TYPES, type DataType, ENCODINGS, type Encoding, NO_HEADINGS } from '../../db/vocabulary'
import { fieldLabel } from '../../src/platform/field-label'
import { showCount } from '../format'
import type { QuestionProps } from './question-props'

const ENCODING_LABELS: Record<Encoding, string> = {
  'utf-8': 'UTF-8',
  'windows-1252': 'Windows (Western Europe)',
  macintosh: 'Macintosh',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16, big endian',
}

type QuestionSelectProps = { name: string; label: string; value: string; options: { value: string; label: string }[] }

export const QuestionSelect = ({ name, label, value, options }: QuestionSelectProps) => (
  <div className="field question-mode">
    <label htmlFor={name}>{label}</label>
    <select id={name} name={name} defaultValue={value}>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  </div>
)

export const DataTypes = ({ dataType }: { dataType: DataType }) => (
  <QuestionSelect
    name="data_type"
    label="Data type"
    value={dataType}
    options={DATA_TYPES.map((value) => ({ value, label: DATA_TYPE_LABELS[value] }))}
  />
)

export function Sheets({ found }: Pick<QuestionProps, 'found'>) {
  const { sheets = [], sheet, encoding, header, samples } = found
  const texts = [...header, ...samples.flat()]
  const isPlain = (!encoding || encoding === 'utf-8') && texts.every((text) => /^[\n\x20-\x7e]*$/.test(text))
  return (
    <>
      {sheets.length > 1 && (
        <QuestionSelect
          name="sheet"
          label="Sheet of the workbook"
          value={sheet ?? ''}
          options={sheets.map(({ name, is_hidden }) => ({ value: name, label: is_hidden ? `${name} (hidden)` : name }))}
        />
      )}
      {encoding && !isPlain && (
        <QuestionSelect
          name="encoding"
          label="Text encoding"
          value={encoding}
          options={ENCODINGS.map((value) => ({ value, label: ENCODING_LABELS[value] }))}
        />
      )}
    </>
  )
}

const SHOWN_SAMPLES = 3

type SkippedRowsProps = { count: number; isSkipped: boolean }

export const HiddenRows = ({ count, isSkipped }: SkippedRowsProps) => (
  <QuestionSelect
    name="skip_hidden"
    label={`Hidden or filtered rows (${showCount(count)})`}
    value={String(isSkipped)}
    options={[
      { value: 'false', label: 'Import these rows' },
      { value: 'true', label: 'Skip these rows' },
    ]}
  />
)

/** Asks whether to extend problem descriptions that are too short. The word `Problem:` is put in front of them. */
export const ShortProblems = ({ count, isExtended }: { count: number; isExtended: boolean }) => (
  <QuestionSelect
    name="extend_short"
    label={`Problems with fewer than 10 characters (${showCount(count)})`}
    value={String(isExtended)}
    options={[
      { value: 'false', label: 'Reject these rows' },
      { value: 'true', label: 'Import with the word “Problem:” in front, for example Problem: Brakes' },
    ]}
  />
)

/**
 * Names the rows that the user can skip. These are finished records, probable mistakes, or both. Names both if no rows
 * are counted, because the user has already skipped them.
 */
function doubtfulRows(count: number, finished: number): string {
  if (finished === 0 && count > 0) return 'Rows that are probably mistakes'
  return finished === count && count > 0
    ? 'Rows about finished records'
    : 'Rows about finished records, and rows that are probably mistakes'
}

export const Conflicts = ({ count, finished, isSkipped }: SkippedRowsProps & { finished: number }) => (
  <QuestionSelect
    name="skip_conflicts"
    label={doubtfulRows(count, finished) + (count > 0 ? ` (${showCount(count)}, see the warnings below)` : '')}
    value={String(isSkipped)}
    options={[
      { value: 'false', label: finished > 0 ? 'Import these rows as open records' : 'Import these rows' },
      { value: 'true', label: 'Skip these rows' },
    ]}
  />
)

/** True if row 1 contains the program's own field names. The user then need not choose the heading row. */
export const isNamedByFields = ({ header_row, header, fields }: Found) =>
  header_row === 1 && header.every((name, at) => name === fields[at])

/** Many spreadsheets have other text above their table. */
export function HeaderRow({ found }: { found: Found }) {
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

export function Columns({
  dataType,
  columns,
  found,
  suggestions,
}: Pick<QuestionProps, 'dataType' | 'columns' | 'found'> & { suggestions: (string | null)[] }) {
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
            <td>
              {text.trim() || <em>column {at + 1}</em>}
              {!found.fields[at] && suggestions[at] && (
                <span className="spelt-alike">Suggested field, not applied yet</span>
              )}
            </td>
            <td className="hint samples">{found.samples[at]?.slice(0, SHOWN_SAMPLES).join(' · ')}</td>
            <td>
              <select
                name={`field.${at}`}
                aria-label={`Field for column ${text}`}
                defaultValue={found.fields[at] ?? suggestions[at] ?? ''}
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
