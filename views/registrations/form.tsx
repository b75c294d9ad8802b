import { REGISTRATION_TYPES } from '../../db/vocabulary'
import { paths } from '../../src/platform/paths'
import { MissingLocation } from '../places/missing-location'
import { type LocationChoice, locationOptions } from '../places/options'
import { Check, Input, optionsOf, Select, TextArea, UnitNumberInput, withStored } from '../ui/fields'
import { andAnother, Form } from '../ui/form'
import { FormPage } from '../ui/form-page'
import { type FormState, headingOf } from '../ui/form-state'
import { MoneyInput } from '../ui/money-input'

type Props = { action: string; form: FormState; locations: LocationChoice[]; isNew: boolean; isRenewal?: boolean }

export function RegistrationForm({ action, form, locations, isNew, isRenewal = false }: Props) {
  const title = isRenewal ? headingOf('Renew registration', form) : 'Add registration'
  const places = locationOptions(locations)
  return (
    <FormPage title={isNew ? title : headingOf('Edit registration', form)}>
      {isNew && places.length === 0 && <MissingLocation record="A registration" />}
      <Form
        entity="registrations"
        action={action}
        form={form}
        submit={isRenewal ? 'Renew registration' : isNew ? 'Add registration' : 'Save changes'}
        also={isNew && !isRenewal ? andAnother('Add') : undefined}
        cancel={paths.registrations.list}
      >
        <UnitNumberInput
          form={form}
          autoFocus={isNew && !isRenewal}
          paste={isNew && !isRenewal ? 'registrations' : undefined}
        />
        <Select
          form={form}
          name="location_id"
          label="Location"
          required
          blank="Choose…"
          options={withStored(places, form, 'location_id', 'location_name')}
        />
        <Input form={form} name="plate_number" label="Plate number" required max={20} />
        <Input
          form={form}
          name="state_province"
          label="State or province"
          required
          max={2}
          upper
          hint="2 letters, for example AZ"
        />
        <Input form={form} name="date_issued" label="Date issued" type="date" required />
        <Input form={form} name="date_expires" label="Date of expiry" type="date" required autoFocus={isRenewal} />
        <Select form={form} name="registration_type" label="Type" required options={optionsOf(REGISTRATION_TYPES)} />
        <MoneyInput form={form} name="cost" label="Cost ($)" max={20} />
        <MoneyInput form={form} name="vlt" label="VLT ($)" hint="Vehicle license tax" max={20} />
        <Check form={form} name="received" label="Papers received" wide />
        <TextArea form={form} name="notes" label="Notes" wide max={5000} />
      </Form>
    </FormPage>
  )
}
