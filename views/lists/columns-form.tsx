import { LIST_DENSITIES } from '../../db/vocabulary'
import type { ListKind } from '../../src/platform/lists/kind'
import type { ListLayout } from '../../src/platform/lists/layouts/rules'
import { paths } from '../../src/platform/paths'
import { areCostsSeen } from '../costs'
import { Select } from '../ui/fields'
import { Form } from '../ui/form'
import { FormPage } from '../ui/form-page'
import type { FormState } from '../ui/form-state'
import { isShown } from '../ui/layouts'

const DENSITY_WORDS = { compact: 'Compact: more rows on the screen', roomy: 'Roomy: easier to click' }

type Props = { list: ListKind; layout: ListLayout; back: string; form: FormState }

export const ColumnsForm = ({ list, layout, back, form }: Props) => (
  <FormPage title="Columns of this list">
    <Form
      action={paths.lists.columns(list.name)}
      form={form}
      submit="Save"
      also={{ name: 'usual', label: 'Reset to default' }}
      cancel={back}
    >
      <fieldset className="checks field-wide">
        <legend>Show</legend>
        {list
          .columns?.()
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
      <p className="hint field-wide">These settings apply only to you, on every computer where you sign in.</p>
    </Form>
  </FormPage>
)
