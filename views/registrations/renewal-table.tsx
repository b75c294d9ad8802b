import type { Registration } from '../../src/features/registrations/queries'
import { paths, withQuery } from '../../src/platform/paths'
import { areCostsSeen } from '../costs'
import { Form } from '../ui/form'
import { FormPage } from '../ui/form-page'
import { errorOf, type FormState, fieldValue } from '../ui/form-state'
import { PlainTable } from '../ui/plain-table'
import { Day } from '../ui/today'

/**
 * Fields to enter for each registration. The name of an input ends with the id of the registration, as in `cost.12`.
 */
export const RENEWAL_FIELDS = ['date_expires', 'cost', 'vlt'] as const
type RenewalField = (typeof RENEWAL_FIELDS)[number]
/** The list of errors names the unit of each error. The table shows the error in the row of the unit. */
export const ofUnit = ({ unit_number }: Pick<Registration, 'unit_number'>) => ` (unit ${unit_number})`

const LABELS: Record<RenewalField, string> = { date_expires: 'New expiry', cost: 'Cost ($)', vlt: 'VLT ($)' }

type Props = { rows: Registration[]; form: FormState }

export function RenewalTable({ rows, form }: Props) {
  const fields = RENEWAL_FIELDS.filter((field) => field === 'date_expires' || areCostsSeen())
  return (
    <FormPage title="Renew registrations" narrow={false}>
      <p className="lead">The papers of the new registrations are pending. Blank costs can be entered later.</p>
      <Form
        // Put the ids in the URL, so that the form can be opened again, for example after a new sign-in.
        action={withQuery(paths.registrations.renewTable, { ids: rows.map(({ id }) => id).join(' ') })}
        form={form}
        submit={`Renew ${rows.length} ${rows.length === 1 ? 'registration' : 'registrations'}`}
        busy="Renewing..."
        cancel={paths.registrations.list}
      >
        <input type="hidden" name="save" value="1" />
        {rows.map(({ id }) => (
          <input key={id} type="hidden" name="ids" value={id} />
        ))}
        <div className="field-wide">
          <PlainTable
            caption="Registrations to renew"
            rows={rows}
            empty="No registrations selected"
            columns={[
              { label: 'Unit #', cell: (row) => <span className="id">{row.unit_number}</span> },
              { label: 'Plate', cell: (row) => `${row.plate_number} ${row.state_province}` },
              { label: 'Expires', cell: (row) => <Day date={row.date_expires} /> },
              ...fields.map((field) => ({
                label: LABELS[field],
                cell: (row: Registration) => (
                  <RenewalInput
                    form={form}
                    field={field}
                    row={row}
                    isFirst={row === rows[0] && field === fields.at(1)}
                  />
                ),
              })),
            ]}
          />
        </div>
      </Form>
    </FormPage>
  )
}

type InputProps = { form: FormState; field: RenewalField; row: Registration; isFirst: boolean }

function RenewalInput({ form, field, row, isFirst }: InputProps) {
  const name = `${field}.${row.id}`
  const error = errorOf(form, name)
  const isDate = field === 'date_expires'
  return (
    <div>
      <input
        id={name}
        name={name}
        type={isDate ? 'date' : 'text'}
        autoFocus={isFirst}
        // This attribute lets the script `islands/grid.ts` add keyboard shortcuts and pasting to the input.
        data-cell=""
        inputMode={isDate ? undefined : 'decimal'}
        max={isDate ? '9999-12-31' : undefined}
        size={isDate ? undefined : 9}
        autoComplete="off"
        aria-label={`${LABELS[field]} of unit ${row.unit_number}`}
        aria-invalid={error ? true : undefined}
        defaultValue={fieldValue(form, name)}
      />
      {error && <p className="field-error">{error.replace(ofUnit(row), '')}</p>}
    </div>
  )
}
