import { VEHICLE_STATUSES } from '../../db/vocabulary'
import { Input, UnitNumberInput } from '../ui/fields'
import { Form } from '../ui/form'
import { FormPage } from '../ui/form-page'
import type { FormState } from '../ui/form-state'

type Props = { title: string; action: string; cancel: string; form: FormState; isNew: boolean }

export function VehicleForm({ title, action, cancel, form, isNew }: Props) {
  return (
    <FormPage title={title}>
      <Form
        entity="vehicles"
        action={action}
        form={form}
        submit={isNew ? 'Add vehicle' : 'Save changes'}
        cancel={cancel}
      >
        {isNew && <UnitNumberInput form={form} autoFocus />}
        <Input form={form} name="vin" label="VIN" max={17} upper wide hint="17 characters without I, O and Q" />
        <Input form={form} name="model_year" label="Model year" inputMode="numeric" max={4} />
        <Input form={form} name="current_mileage" label="Mileage" inputMode="numeric" max={12} />
        <Input
          form={form}
          name="current_status"
          label="Status"
          max={50}
          list={[...VEHICLE_STATUSES]}
          hint={
            isNew ? 'Defaults to Available' : 'The vehicle keeps this status until a transport or OSL entry changes it'
          }
        />
        <Input form={form} name="current_location" label="Location" max={100} />
      </Form>
    </FormPage>
  )
}
