import { paths } from '../../src/paths'
import { type FormState, Input } from '../ui/fields'
import { Form } from '../ui/form'
import { FormPage } from '../ui/form-page'

export function VehicleForm({ unit, form }: { unit: string; form: FormState }) {
  return (
    <FormPage title={`Edit unit ${unit}`}>
      <Form entity="vehicles" action={paths.vehicles.edit(unit)} form={form} submit="Save changes" cancel={paths.vehicles.show(unit)}>
        <Input form={form} name="vin" label="VIN" max={17} upper wide hint="17 characters without I, O and Q" />
        <Input form={form} name="model_year" label="Model year" inputMode="numeric" max={4} />
        <Input form={form} name="current_mileage" label="Mileage" inputMode="numeric" max={12} />
        <Input form={form} name="current_status" label="Status" max={50} />
        <Input form={form} name="current_location" label="Location" max={100} />
      </Form>
    </FormPage>
  )
}
