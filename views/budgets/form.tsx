import { paths, withQuery } from '../../src/paths'
import { MoneyInput } from '../ui/fields'
import { Form } from '../ui/form'
import { FormPage } from '../ui/form-page'
import type { FormState } from '../ui/form-state'

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

type Props = { location: { id: number; location_name: string }; year: number; form: FormState }

/** What a location may cost in each month of a year. */
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
        <MoneyInput
          form={form}
          name="every_month"
          label="Every month ($)"
          hint="For the months that you leave blank"
          wide
        />
        {MONTHS.map((month, at) => (
          <MoneyInput key={month} form={form} name={`month_${at + 1}`} label={`${month} ($)`} />
        ))}
      </Form>
    </FormPage>
  )
}
