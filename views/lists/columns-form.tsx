import { type LaidOutList, LIST_DENSITIES } from '../../db/vocabulary'
import type { ListLayout } from '../../src/platform/lists/layouts/rules'
import { paths } from '../../src/platform/paths'
import { areCostsSeen } from '../costs'
import { dueColumns } from '../due/columns'
import { ACTIVE_COLUMNS as ACTIVE_OSL, COMPLETED_COLUMNS as COMPLETED_OSL } from '../osl/columns'
import { REGISTRATION_COLUMNS } from '../registrations/columns'
import { titleColumns } from '../titles/columns'
import { activeColumns, COMPLETED_COLUMNS } from '../transports/columns'
import { Select } from '../ui/fields'
import { Form } from '../ui/form'
import { FormPage } from '../ui/form-page'
import type { FormState } from '../ui/form-state'
import { isFixed, isShown } from '../ui/layouts'
import type { Column } from '../ui/list-rows'

const choicesOf = <Row,>(columns: Column<Row>[]) =>
  columns
    .filter((column) => !isFixed(column))
    .map(({ label, isExtra, isCost }) => ({ label, isExtra: isExtra === true, isCost: isCost === true }))
    .filter(({ label }, at, all) => all.findIndex((other) => other.label === label) === at)

/** The columns of each list that may be there or not, in the order in which they stand. */
export const COLUMN_CHOICES: Record<LaidOutList, { label: string; isExtra: boolean; isCost: boolean }[]> = {
  'transports-active': choicesOf(activeColumns('')),
  'transports-completed': choicesOf(COMPLETED_COLUMNS),
  'osl-active': choicesOf(ACTIVE_OSL),
  'osl-completed': choicesOf(COMPLETED_OSL),
  registrations: choicesOf(REGISTRATION_COLUMNS),
  due: choicesOf(dueColumns('', true)),
  titles: choicesOf([...titleColumns('pending'), ...titleColumns('transferred')]),
}

const DENSITY_WORDS = { compact: 'Compact: as many as fit', roomy: 'Roomy: easier to hit' }

type Props = { list: LaidOutList; layout: ListLayout; back: string; form: FormState }

/** Which columns of a list its reader sees, and how high its rows are. */
export const ColumnsForm = ({ list, layout, back, form }: Props) => (
  <FormPage title="Columns of this list">
    <Form
      action={paths.lists.columns(list)}
      form={form}
      submit="Save"
      also={{ name: 'usual', label: 'As it comes' }}
      cancel={back}
    >
      <fieldset className="checks field-wide">
        <legend>Show</legend>
        {COLUMN_CHOICES[list]
          .filter(({ isCost }) => areCostsSeen() || !isCost)
          .map(({ label, isExtra }) => (
            <label key={label}>
              <input
                type="checkbox"
                name="shown"
                value={label}
                defaultChecked={isShown({ label, isExtra, cell: () => null }, layout)}
              />{' '}
              {label}
            </label>
          ))}
      </fieldset>
      <Select
        form={form}
        name="density"
        label="Rows"
        options={LIST_DENSITIES.map((value) => ({ value, label: DENSITY_WORDS[value] }))}
      />
      <p className="hint field-wide">Only you see the list like this, on every computer that you sign in at.</p>
    </Form>
  </FormPage>
)
