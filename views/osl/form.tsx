import { FUEL_LEVELS, OSL_STATUSES, OSL_WAITS, type OslStatus } from '../../db/vocabulary'
import { paths } from '../../src/platform/paths'
import { areCostsSeen } from '../costs'
import { MissingLocation } from '../places/missing-location'
import { type LocationChoice, locationOptions, type VendorChoice, vendorOptions } from '../places/options'
import { Check, Input, type Option, optionsOf, Select, TextArea, UnitNumberInput, withStored } from '../ui/fields'
import { Fold } from '../ui/fold'
import { andAnother, Form } from '../ui/form'
import { FormPage } from '../ui/form-page'
import { type FormState, fieldValue, headingOf } from '../ui/form-state'
import { MoneyInput } from '../ui/money-input'

type Vendor = VendorChoice & { storage_daily_rate: number | null; storage_grace_days: number }
type Props = {
  title: string
  action: string
  form: FormState
  locations: LocationChoice[]
  vendors: Vendor[]
  usernames: string[]
  isNew: boolean
}

export function OslForm({ title, action, form, locations, vendors, usernames, isNew }: Props) {
  const places = locationOptions(locations)
  const terms = ({ storage_daily_rate, storage_grace_days }: Vendor): Option['data'] =>
    isNew && areCostsSeen() && storage_daily_rate !== null
      ? { 'data-rate': storage_daily_rate, 'data-grace': storage_grace_days }
      : undefined
  const keepers = vendorOptions(vendors).map((option, at) => ({
    ...option,
    data: { ...option.data, ...terms(vendors[at] as Vendor) },
  }))
  return (
    <FormPage title={isNew ? title : headingOf(title, form)} narrow={false} hasKnown={isNew}>
      {isNew && places.length === 0 && <MissingLocation record="An OSL entry" />}
      <Form
        entity="osl_entries"
        action={action}
        form={form}
        submit={isNew ? 'Create OSL entry' : 'Save changes'}
        cancel={paths.osl.active}
        also={isNew ? andAnother('Create') : undefined}
      >
        {isNew && <div className="known field-wide" id="unit_number-known" aria-live="polite" />}
        <UnitNumberInput
          form={form}
          autoFocus={isNew}
          detailsUrl={isNew ? paths.vehicles.known : undefined}
          paste={isNew ? 'osl' : undefined}
        />
        <Input form={form} name="osl_date" label="OSL date" type="date" required />
        <Select
          form={form}
          name="location_id"
          label="Location"
          required
          blank="Choose…"
          options={withStored(places, form, 'location_id', 'location_name')}
          isPrefilled={isNew}
        />
        {isNew && <input type="hidden" name="terms_shown" defaultValue={fieldValue(form, 'terms_shown')} />}
        <Select
          form={form}
          name="vendor_id"
          label="Vendor"
          blank="None"
          options={withStored(keepers, form, 'vendor_id', 'vendor_name')}
          hint={
            isNew
              ? 'The vendor that stores or repairs the unit. If the rate is blank, the vendor’s rate is used.'
              : 'The vendor that stores or repairs the unit'
          }
        />
        <Select form={form} name="status" label="Status" options={optionsOf(OSL_STATUSES)} />
        <TextArea form={form} name="problem" label="Problem" required wide hint="At least 10 characters" max={5000} />
        <TextArea form={form} name="notes" label="Notes" wide max={5000} />
        <Fold title="Unit" form={form} isOpen={!isNew}>
          <Input form={form} name="ra_number" label="RA number" max={8} />
          <Input form={form} name="ta_log_number" label="TA log number" max={50} />
          <Input form={form} name="po_number" label="PO number" max={50} />
          <Input form={form} name="non_rev_number" label="Non-rev number" max={50} />
          <Input form={form} name="osl_mileage" label="OSL mileage" inputMode="numeric" max={12} />
          <Input form={form} name="model_year" label="Model year" inputMode="numeric" max={4} />
          <Select form={form} name="fuel_level" label="Fuel level" blank="Unknown" options={optionsOf(FUEL_LEVELS)} />
          <Input form={form} name="propane_level" label="Propane level" max={20} />
          <Input form={form} name="generator_hours" label="Generator hours" inputMode="decimal" max={12} />
          <Input form={form} name="key_location" label="Key location" max={100} wide="double" />
          <Check form={form} name="fleet_registration_mailed" label="Fleet registration mailed" />
        </Fold>
        <Fold title="Contact" form={form} isOpen={!isNew}>
          <Input form={form} name="contact_phone" label="Contact phone" type="tel" max={20} />
          <Input form={form} name="contact_email" label="Contact e-mail" type="email" max={100} />
          <Input form={form} name="exchange_location" label="Exchange location" max={100} wide="double" />
        </Fold>
        <Fold title="Next step and completion" form={form} isOpen={!isNew}>
          <Select form={form} name="waiting_on" label="Waiting on" blank="Nothing" options={optionsOf(OSL_WAITS)} />
          <Input
            form={form}
            name="next_action_on"
            label="Next step on"
            type="date"
            hint="Hidden from Due until this date"
          />
          <Input form={form} name="next_action" label="Next step" max={255} wide="double" />
          <Select
            form={form}
            name="owner"
            label="Owner"
            blank="Nobody"
            options={withStored(optionsOf(usernames), form, 'owner', 'owner')}
          />
          <Input form={form} name="expected_return" label="Expected back" type="date" />
          <Input
            form={form}
            name="completed_on"
            label="Completed on"
            type="date"
            hint="Used when the status is Completed. Defaults to today."
            ticks={`status=${'Completed' satisfies OslStatus}`}
          />
        </Fold>
        <Fold title="Storage fees" form={form} isOpen={!isNew}>
          <Check form={form} name="storage_fees_applicable" label="Storage fees apply" />
          <MoneyInput
            form={form}
            name="storage_fee_daily_rate"
            label="Storage fee daily rate ($)"
            type="number"
            step="0.01"
            hint={
              isNew
                ? 'Required when storage fees apply, unless the vendor has a rate'
                : 'Required when storage fees apply'
            }
            ticks="storage_fees_applicable"
          />
          <Input
            form={form}
            name="storage_grace_days"
            label="Grace days"
            inputMode="numeric"
            max={4}
            hint={
              isNew
                ? 'Number of days without storage fees at the start of a stay. If blank, the vendor’s number is used.'
                : 'Number of days after the OSL date without storage fees'
            }
          />
          <MoneyInput form={form} name="storage_fee_waived" label="Waived ($)" type="number" step="0.01" />
          <Input form={form} name="storage_fee_waived_reason" label="Waiver reason" max={255} wide="double" />
        </Fold>
      </Form>
    </FormPage>
  )
}
