import { MOVE_TYPES, TRANSPORT_STATUSES, type TransportStatus } from '../../db/vocabulary'
import type { Transport } from '../../src/features/transports/queries'
import { paths } from '../../src/platform/paths'
import { Island } from '../island'
import { type CompanyChoice, companyOptions, type LocationChoice, locationOptions } from '../places/options'
import { Full, Route, Unit } from '../ui/cells'
import { Check, Input, optionsOf, Select, TextArea, UnitNumberInput, withStored } from '../ui/fields'
import { andAnother, Form } from '../ui/form'
import { FormPage } from '../ui/form-page'
import { type FormState, headingOf } from '../ui/form-state'
import { MoneyInput } from '../ui/money-input'
import { PlainTable } from '../ui/plain-table'
import { Day } from '../ui/today'

type Props = {
  title: string
  action: string
  form: FormState
  locations: LocationChoice[]
  companies: CompanyChoice[]
  isNew: boolean
  recent?: Transport[]
}

export function TransportForm({ title, action, form, locations, companies, isNew, recent = [] }: Props) {
  const places = locationOptions(locations)
  const movers = companyOptions(companies)
  return (
    <FormPage title={isNew ? title : headingOf(title, form)} narrow={false} hasKnown={isNew}>
      {isNew && (places.length === 0 || movers.length === 0) && (
        <p className="banner banner-warning">
          A transport needs a location and a transport company. An administrator adds them under{' '}
          <a href={paths.locations.list}>Manage Locations</a> and{' '}
          <a href={paths.transportCompanies.list}>Transport Companies</a>.
        </p>
      )}
      <Form
        entity="transports"
        action={action}
        form={form}
        submit={isNew ? 'Create transport' : 'Save changes'}
        cancel={paths.transports.active}
        also={isNew ? andAnother('Create', true) : undefined}
      >
        {isNew && <div className="known field-wide" id="unit_number-known" aria-live="polite" />}
        <UnitNumberInput
          form={form}
          autoFocus={isNew}
          detailsUrl={isNew ? paths.vehicles.known : undefined}
          paste={isNew ? 'transports' : undefined}
        />
        <Select
          form={form}
          name="location_out_id"
          label="Location out"
          required
          blank="Choose…"
          options={withStored(places, form, 'location_out_id', 'location_out_name')}
          isPrefilled={isNew}
        />
        <Select
          form={form}
          name="location_in_id"
          label="Location in"
          required
          blank="Choose…"
          options={withStored(places, form, 'location_in_id', 'location_in_name')}
        />
        <Select
          form={form}
          name="transport_company_id"
          label="Transport company"
          required
          blank="Choose…"
          options={withStored(movers, form, 'transport_company_id', 'transport_company_name')}
        />
        <Input form={form} name="move_date" label="Move date" type="date" required />
        <Input form={form} name="estimated_arrival_date" label="Estimated arrival" type="date" />
        <Input
          form={form}
          name="actual_arrival_date"
          label="Actual arrival"
          type="date"
          ticks={`status=${'Delivered' satisfies TransportStatus}`}
          hint={isNew ? 'Used only if the status is Delivered. If blank, today’s date is used.' : undefined}
        />
        <Input
          form={form}
          name="ra_number"
          label="RA number"
          max={8}
          hint="Rental agreement number, up to 8 characters"
        />
        <Select form={form} name="move_type" label="Move type" required options={optionsOf(MOVE_TYPES)} />
        <Select form={form} name="status" label="Status" required options={optionsOf(TRANSPORT_STATUSES)} />
        <Input form={form} name="mileage" label="Mileage" inputMode="numeric" max={12} />
        <MoneyInput form={form} name="estimated_cost" label="Estimated cost ($)" max={20} />
        <MoneyInput form={form} name="final_cost" label="Final cost ($)" max={20} />
        <Input form={form} name="po_number" label="PO number" max={50} />
        <Check form={form} name="issue_po" label="Issue a PO" />
        <TextArea form={form} name="notes" label="Notes" wide max={5000} />
      </Form>
      {recent.length > 0 && <Recent rows={recent} />}
    </FormPage>
  )
}

const Recent = ({ rows }: { rows: Transport[] }) => (
  <section className="panel recent">
    <h2>Recently entered</h2>
    <PlainTable
      caption="Recently entered"
      rows={rows}
      empty=""
      columns={[
        { label: 'Unit #', cell: (row) => <Unit unit={row.unit_number} /> },
        { label: 'Route', cell: (row) => <Route row={row} /> },
        { label: 'Moves', cell: (row) => <Day date={row.move_date} /> },
        { label: 'Company', cell: (row) => <Full text={row.transport_company_name} /> },
        {
          label: 'Actions',
          cell: (row) => (
            <div className="row-actions">
              <a
                href={paths.transports.edit(row.id)}
                data-modal=""
                aria-label={`Edit transport of unit ${row.unit_number}`}
              >
                Edit
              </a>
              <form method="post" action={paths.transports.remove(row.id)} data-comes-back="">
                <button type="submit" className="link" aria-label={`Undo the transport of unit ${row.unit_number}`}>
                  Undo
                </button>
              </form>
            </div>
          ),
        },
      ]}
    />
    <Island name="modal" id="modal" props={{}} />
  </section>
)
