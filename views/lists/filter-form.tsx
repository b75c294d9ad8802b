import type { LaidOutList } from '../../db/vocabulary'
import { areCostsSeen } from '../costs'
import { Input, type Option, Select } from '../ui/fields'
import { FormPage } from '../ui/form-page'
import type { FormState } from '../ui/form-state'

/** What may narrow a list besides the selects above it. */
type Fields = { place: string; company?: true; vendor?: true; cost?: true; days?: [from: string, to: string] }

export const FILTER_FIELDS: Partial<Record<LaidOutList, Fields>> = {
  'transports-active': { place: 'From or to', company: true, days: ['Moves from', 'Moves until'] },
  'transports-completed': { place: 'From or to', company: true, cost: true },
  'osl-active': { place: 'Location', vendor: true },
  registrations: { place: 'Location' },
  titles: { place: 'Location' },
}

type Props = {
  /** Where the list is looked at. */
  path: string
  fields: Fields
  form: FormState
  /** What else stands in the list's address. */
  kept: [name: string, value: string][]
  locations: Option[]
  companies: Option[]
  vendors: Option[]
}

/** Leads back to the list, narrowed; a blank field does not narrow it. */
export const FilterForm = ({ path, fields, form, kept, locations, companies, vendors }: Props) => (
  <FormPage title="Filter this list">
    <form className="form" method="get" action={path}>
      {kept.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <div className="fields">
        <Select form={form} name="location_id" label={fields.place} options={locations} blank="Any location" />
        {fields.company && (
          <Select form={form} name="transport_company_id" label="Company" options={companies} blank="Any company" />
        )}
        {fields.vendor && <Select form={form} name="vendor_id" label="Vendor" options={vendors} blank="Any vendor" />}
        {fields.cost && (
          <>
            {areCostsSeen() && (
              <Select
                form={form}
                name="over_estimate"
                label="Final cost"
                blank="Any"
                options={[
                  { value: 'true', label: 'Above the estimate' },
                  { value: 'false', label: 'Within the estimate' },
                ]}
              />
            )}
            <Select
              form={form}
              name="invoiced"
              label="Invoice"
              blank="Any"
              options={[
                { value: 'true', label: 'Invoiced' },
                { value: 'false', label: 'Not invoiced' },
              ]}
            />
          </>
        )}
        {fields.days && (
          <>
            <Input form={form} name="start_date" label={fields.days[0]} type="date" />
            <Input form={form} name="end_date" label={fields.days[1]} type="date" />
          </>
        )}
        <Input form={form} name="unit_number" label="Unit number" max={8} inputMode="numeric" />
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
