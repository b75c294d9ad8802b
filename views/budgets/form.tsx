import { MONTH_NAMES } from '../../db/vocabulary'
import { paths, withQuery } from '../../src/platform/paths'
import { Check } from '../ui/fields'
import { Form } from '../ui/form'
import { FormPage } from '../ui/form-page'
import type { FormState } from '../ui/form-state'
import { MoneyInput } from '../ui/money-input'

type Props = { location: { id: number; location_name: string }; year: number; form: FormState }

export function BudgetForm({ location: { id, location_name }, year, form }: Props) {
  const { show, edit } = paths.budgets
  return (
    <FormPage title={`Budget ${year}, ${location_name}`} narrow={false}>
      <p className="row-actions not-printed">
        Other years: <a href={withQuery(edit(id), { year: year - 1 })}>{year - 1}</a>{' '}
        <a href={withQuery(edit(id), { year: year + 1 })}>{year + 1}</a>
      </p>
      <Form action={withQuery(edit(id), { year })} form={form} entity="budgets" submit="Save budget" cancel={show(id)}>
        <input type="hidden" name="year" value={year} />
        <MoneyInput form={form} name="every_month" label="Every month ($)" hint="Fills the blank months" autoFocus />
        <Check form={form} name="overwrites" label="Overwrite months that have an amount" />
        <h2 className="field-wide">Month by month</h2>
        {MONTH_NAMES.map((month) => (
          <MoneyInput key={month} form={form} name={month.toLowerCase()} label={`${month} ($)`} />
        ))}
      </Form>
    </FormPage>
  )
}
