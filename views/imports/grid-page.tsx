import type { InputHTMLAttributes } from 'react'
import { DATA_TYPE_LABELS, DATA_TYPES, type DataType } from '../../db/vocabulary'
import { cellName, GRID_ROWS, leaveName } from '../../src/platform/imports/cell-names'
import { paths, withQuery } from '../../src/platform/paths'
import { Form } from '../ui/form'
import { FormPage } from '../ui/form-page'
import type { FormState } from '../ui/form-state'
import { Tabs } from '../ui/tabs'

export type GridColumn = {
  name: string
  label: string
  kind: string
  isRequired: boolean
  choices: { value: string; label?: string }[] | undefined
}

type Row = { row: number; cells: Record<string, string>; message?: string | null | undefined; isLeftOut?: boolean }

type Props = {
  dataType: DataType
  columns: GridColumn[]
  rows: Row[]
  form: FormState
  /** Undefined if the user types new rows. */
  upload: { id: number; file_name: string } | undefined
  /** True if `rows` are all rows of the import, and replace it. */
  isWhole: boolean
  /** URL of a page with the remaining failed rows. Undefined if this page shows all of them. */
  more: string | undefined
}

export function GridPage({ dataType, columns: all, rows, form, upload, isWhole, more }: Props) {
  const columns = (upload ? failingFirst(all, rows) : all).map((column) => ({ ...column, size: sizeOf(column, rows) }))
  const firstRow = rows.find(({ message, isLeftOut }) => !isLeftOut && (!upload || message)) ?? rows[0]
  return (
    <FormPage title={upload ? `Fix rows of ${upload.file_name}` : 'Type rows'} isFull>
      {!upload && (
        <Tabs
          label="Data type"
          tabs={DATA_TYPES.map((kind) => ({
            href: withQuery(paths.files.grid, { data_type: kind }),
            label: DATA_TYPE_LABELS[kind],
            isCurrent: kind === dataType,
          }))}
        />
      )}
      <Form
        action={paths.files.grid}
        form={form}
        submit="Check the rows"
        busy="Reading..."
        cancel={upload ? paths.files.import(upload.id) : paths.files.upload}
        draft={upload ? String(upload.id) : dataType}
        isWhole
      >
        <input type="hidden" name="data_type" value={dataType} />
        {upload && <input type="hidden" name="mends" value={upload.id} />}
        {isWhole && <input type="hidden" name="whole" value="true" />}
        <p className="hint field-wide">
          {upload
            ? `${isWhole ? 'These are all rows of the import. ' : ''}Nothing is saved until you confirm the preview. ` +
              'To leave out a row, select its check box.'
            : 'Blank rows are ignored.'}
          {!upload && (
            <span className="with-script">
              {' '}
              Press Enter to move down, Ctrl D to copy the cell above, and Ctrl Z to undo. You can paste cells from a
              spreadsheet.
            </span>
          )}
          {more && (
            <>
              {' '}
              These are the first {rows.length} rows. <a href={more}>Show the next rows</a>.
            </>
          )}
        </p>
        <div className="field-wide table-scroll is-tall" tabIndex={0} role="region" aria-label="Rows">
          <table className="table grid" data-most={upload ? undefined : GRID_ROWS}>
            <thead>
              <tr>
                <th scope="col" className="figure">
                  Row
                </th>
                {columns.map(({ name, label, isRequired }) => (
                  <th key={name} scope="col">
                    {label}
                    {isRequired && (
                      <span className="required" aria-hidden="true">
                        {' *'}
                      </span>
                    )}
                  </th>
                ))}
                {upload && (
                  <th scope="col" className="leave">
                    Leave out
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <GridLine
                  key={row.row}
                  row={row}
                  columns={columns}
                  canLeave={upload !== undefined}
                  begins={row === firstRow && !form.refusal}
                />
              ))}
            </tbody>
          </table>
        </div>
        {columns.map(
          ({ name, choices }) =>
            choices && (
              <datalist key={name} id={`choices-${name}`}>
                {choices.map(({ value, label }) => (
                  <option key={value} value={value} label={label} />
                ))}
              </datalist>
            ),
        )}
      </Form>
    </FormPage>
  )
}

/** Widths of inputs, in characters. A list of choices needs space for its arrow. */
const SIZE = { date: 12, choice: 16, least: 9, most: 28, arrow: 3 }

/** Returns the width of a column's inputs. Its usual values fit without being cut. */
function sizeOf({ name, kind, choices }: GridColumn, rows: Row[]): number {
  const texts = [
    ...rows.map(({ cells }) => cells[name] ?? ''),
    ...(kind === 'word' ? (choices ?? []) : []).map(({ value }) => value),
  ]
  const least = kind === 'date' ? SIZE.date : choices ? SIZE.choice : SIZE.least
  const longest = Math.max(least, ...texts.map(({ length }) => length))
  return Math.min(longest + (choices ? SIZE.arrow : 0), SIZE.most)
}

const isNamed = (message: string | null | undefined, { label }: GridColumn) =>
  message?.split('; ').some((part) => part.toLowerCase().startsWith(label.toLowerCase())) ?? false

/** Moves the columns with errors to the front, after the unit number. Users then see the errors without scrolling. */
function failingFirst(columns: GridColumn[], rows: Row[]): GridColumn[] {
  const [unit, ...others] = columns
  const isFailing = (column: GridColumn) => rows.some(({ message }) => isNamed(message, column))
  return unit ? [unit, ...others.filter(isFailing), ...others.filter((column) => !isFailing(column))] : columns
}

function GridLine({ row: { row, cells, message, isLeftOut }, columns, canLeave, begins }: LineProps) {
  // In the first row, focus the first cell with an error. If all its cells are valid, focus the first cell.
  const errorColumn = columns.findIndex((column) => isNamed(message, column))
  const first = begins ? Math.max(errorColumn, 0) : -1
  const messageId = message ? `why-${row}` : undefined
  return (
    <>
      <tr>
        <th scope="row" className="figure">
          {row}
        </th>
        {columns.map((column, at) => (
          <td key={column.name}>
            <CellInput
              name={cellName(row, column.name)}
              id={cellName(row, column.name)}
              aria-label={`${column.label}, row ${row}`}
              list={column.choices && `choices-${column.name}`}
              inputMode={column.kind === 'unit' ? 'numeric' : column.kind === 'money' ? 'decimal' : undefined}
              placeholder={column.kind === 'date' ? 'M/D/YYYY' : undefined}
              autoComplete="off"
              size={column.size}
              aria-invalid={isNamed(message, column) || undefined}
              aria-describedby={messageId}
              data-cell=""
              autoFocus={at === first}
              value={cells[column.name] ?? ''}
            />
          </td>
        ))}
        {canLeave && (
          <td className="leave">
            <input
              type="checkbox"
              name={leaveName(row)}
              value="true"
              aria-label={`Leave row ${row} out`}
              defaultChecked={isLeftOut}
            />
          </td>
        )}
      </tr>
      {message && (
        <tr className="grid-why">
          <td />
          <td id={messageId} colSpan={columns.length} className="text-danger">
            <span>{message}</span>
          </td>
          {canLeave && <td className="leave" />}
        </tr>
      )}
    </>
  )
}

/** Input of a cell. Text with line breaks needs a text area, because an input would remove the breaks. */
const CellInput = ({ value, ...props }: { value: string } & InputHTMLAttributes<HTMLInputElement>) =>
  value.includes('\n') ? (
    <textarea {...(props as object)} rows={1} defaultValue={value} />
  ) : (
    <input {...props} defaultValue={value} />
  )

type LineProps = { row: Row; columns: (GridColumn & { size: number })[]; canLeave: boolean; begins: boolean }
