import type { PlannedRow } from '../../src/features/places/import-rows'
import type { MasterImportColumn, UnknownHeading } from '../../src/features/places/import-table'
import { fieldLabel } from '../../src/platform/field-label'
import { showCount } from '../format'
import { OUTCOMES } from '../imports/labels'
import { Badge } from '../ui/badge'
import { Facts } from '../ui/facts'
import { Check, FileInput, Select, TextArea } from '../ui/fields'
import { Form } from '../ui/form'
import { FormPage } from '../ui/form-page'
import { type FormState, fieldValue } from '../ui/form-state'
import { TablePanel } from '../ui/plain-table'

type ShownRow = PlannedRow & { values: Record<string, unknown> }

type Props = {
  title: string
  noun: string
  many: string
  form: FormState
  columns: MasterImportColumn[]
  paths: { list: string; import: string; sample: string }
  /** Rows with their outcomes. In a preview, these are planned outcomes. After the import, they are final. */
  preview:
    | {
        rows: ShownRow[]
        /** Headings of the table that match no field. `open` lists the fields for which there is no heading. */
        ignored: UnknownHeading[]
        open: string[]
        /** Remarks about unread parts of the file, such as further sheets. */
        remarks: string[]
        isDone: boolean
        /** Message about a finished import. Undefined in a preview. */
        message: string | undefined
      }
    | undefined
}

/** Returns the name of the select for an unknown heading. The user chooses the field of the heading in this select. */
export const headingField = (at: number | '') => `heading.${at}`

const MAX_ROWS_SHOWN = 200
const ORDER = ['error', 'update', 'create', 'duplicate'] as const

export function MasterImportPage({ title, noun, many, form, columns, paths, preview }: Props) {
  const rows = preview?.rows ?? []
  const labels = columns.map(({ field }) => fieldLabel(field))
  const ready = preview?.isDone ? 0 : rows.filter(({ outcome }) => outcome === 'create' || outcome === 'update').length
  const label = `Import ${showCount(ready)} ${ready === 1 ? noun : many}`
  return (
    <FormPage title={title} narrow={false}>
      <Form
        action={paths.import}
        form={form}
        submit="Preview rows"
        busy="Reading..."
        also={ready > 0 ? { name: 'commit', label, isFirst: true } : undefined}
        cancel={paths.list}
        hasFile
        below={
          preview ? <Preview {...preview} columns={columns} /> : <Columns columns={columns} sample={paths.sample} />
        }
      >
        <input type="hidden" name="seen" value={fieldValue(form, 'seen')} />
        <FileInput
          form={form}
          name="file"
          label="Spreadsheet"
          accept=".csv,.xls,.xlsx"
          hint="One sheet with a header row; up to 1,000 rows"
        />
        <TextArea
          form={form}
          name="rows"
          label={preview ? 'Rows (fix them here)' : 'Or paste rows'}
          rows={Math.max(8, Math.min(20, rows.length + 2))}
          hint={`Include a header row, with columns in any order. Without one, use this order: ${labels.join(', ')}`}
          wide
        />
        {preview?.ignored.map(({ at, heading }) => (
          <Select
            key={at}
            form={form}
            name={headingField(at)}
            label={`Field for “${heading}”`}
            blank="None: ignore this column"
            options={preview.open.map((field) => ({ value: field, label: fieldLabel(field) }))}
          />
        ))}
        <Check form={form} name="update" label="Update existing records; blank cells change nothing" wide />
      </Form>
    </FormPage>
  )
}

const shownValue = (value: unknown) => {
  if (Array.isArray(value)) return value.join('; ')
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return value === undefined ? '' : String(value)
}

function Preview({
  rows,
  ignored,
  remarks,
  isDone,
  message,
  columns,
}: NonNullable<Props['preview']> & Pick<Props, 'columns'>) {
  const fields = columns.map(({ field }) => field).filter((field) => rows.some(({ values }) => field in values))
  const inOrder = ORDER.flatMap((outcome) => rows.filter((row) => row.outcome === outcome))
  const countOf = (countedOutcome: string) => rows.filter(({ outcome }) => outcome === countedOutcome).length
  const [errors, duplicates] = [countOf('error'), countOf('duplicate')]
  return (
    <div className="below">
      {/* Keep this text short. The element receives the focus, and the browser scrolls all of it into view. */}
      <p className={message ? 'banner banner-success' : 'lead'} tabIndex={-1} data-error-summary="">
        {message ??
          `${showCount(rows.length - errors - duplicates)} of ${showCount(rows.length)} rows will be imported`}
      </p>
      {remarks.map((remark) => (
        <p className="banner banner-warning" key={remark}>
          {remark}
        </p>
      ))}
      {ignored.length > 0 && (
        <p className="banner banner-warning">
          Unknown {ignored.length === 1 ? 'column' : 'columns'} ignored:{' '}
          {ignored.map(({ heading }) => heading).join(', ')}
        </p>
      )}
      {isDone && errors > 0 && (
        <p className="banner banner-warning">
          {errors === 1
            ? 'One row was left out and is shown above. Fix the row and import it again.'
            : `${showCount(errors)} rows were left out and are shown above. Fix the rows and import them again.`}
        </p>
      )}
      <TablePanel
        title={isDone ? 'Left out' : 'Preview'}
        caption="Rows"
        rows={inOrder.slice(0, MAX_ROWS_SHOWN).map((row) => ({ ...row, id: row.row }))}
        empty=""
        columns={[
          { label: 'Line', cell: ({ row }) => row },
          {
            label: 'Outcome',
            cell: ({ outcome }) => <Badge tone={OUTCOMES[outcome].tone}>{OUTCOMES[outcome].label}</Badge>,
          },
          {
            label: 'Notes',
            cell: ({ outcome, message }) => (outcome === 'update' ? `${message} changes` : (message ?? '')),
          },
          ...fields.map((field) => ({
            label: fieldLabel(field),
            cell: ({ values }: ShownRow) => shownValue(values[field]),
          })),
        ]}
      />
      {rows.length > MAX_ROWS_SHOWN && (
        <p className="lead">
          The first {MAX_ROWS_SHOWN} of {showCount(rows.length)} rows, errors first
        </p>
      )}
    </div>
  )
}

const Columns = ({ columns, sample }: { columns: MasterImportColumn[]; sample: string }) => (
  <section className="panel">
    <h2>Columns</h2>
    <Facts
      facts={columns.map(({ field, about, isRequired }) => [`${fieldLabel(field)}${isRequired ? ' *' : ''}`, about])}
    />
    <p>
      <a href={sample} download="">
        Download a sample
      </a>
    </p>
  </section>
)
