import { isCostFilter } from '../../src/platform/costs'
import { FILTER_NAMES, FILTERS, type FilterName } from '../../src/platform/lists/filters'
import type { ListKind } from '../../src/platform/lists/kind'
import { areCostsSeen } from '../costs'
import { Input, type Option, Select } from '../ui/fields'
import { FormPage } from '../ui/form-page'
import type { FormState } from '../ui/form-state'

type Props = {
  path: string
  filters: NonNullable<ListKind['filters']>
  form: FormState
  /** Query parameters that are not filters, such as the sort order. These parameters stay in the URL. */
  otherParameters: [name: string, value: string][]
  locations: Option[]
  companies: Option[]
  vendors: Option[]
}

export const FilterForm = ({ path, filters, form, otherParameters, ...options }: Props) => (
  <FormPage title="Filter this list">
    <form className="form" method="get" action={path}>
      {otherParameters.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <div className="fields">
        {FILTER_NAMES.map((name) => {
          const label = filters[name]
          const isSeen = areCostsSeen() || !isCostFilter(name)
          return label && isSeen && <Filter key={name} name={name} label={label} form={form} {...options} />
        })}
      </div>
      <div className="form-buttons">
        <button type="submit" className="button button-primary">
          Filter
        </button>
        <a className="button" href={path} data-close-modal="">
          Cancel
        </a>
      </div>
    </form>
  </FormPage>
)

type FilterProps = Pick<Props, 'form' | 'locations' | 'companies' | 'vendors'> & { name: FilterName; label: string }

function Filter({ name, label, form, locations, companies, vendors }: FilterProps) {
  const field = FILTERS[name]
  if (field.input === 'date') return <Input form={form} name={name} label={label} type="date" />
  if (field.input === 'unit') return <Input form={form} name={name} label={label} max={8} inputMode="numeric" />
  if (field.input === 'choice')
    return <Select form={form} name={name} label={label} blank="Any" options={field.options} />
  const options = { location: locations, company: companies, vendor: vendors }[field.input]
  return <Select form={form} name={name} label={label} options={options} blank={`Any ${field.input}`} />
}
