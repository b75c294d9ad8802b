import { LOCATION_TYPES } from '../../../db/vocabulary'
import { paths } from '../../../src/platform/paths'
import { Check, Input, optionsOf, Select } from '../../ui/fields'
import { andAnother, Form } from '../../ui/form'
import { FormPage } from '../../ui/form-page'
import type { FormState } from '../../ui/form-state'
import { OtherNames } from '../other-names'

export function LocationForm({ action, form, isNew }: { action: string; form: FormState; isNew: boolean }) {
  return (
    <FormPage title={isNew ? 'Add location' : 'Edit location'}>
      <Form
        entity="locations"
        action={action}
        form={form}
        submit={isNew ? 'Create location' : 'Save changes'}
        also={isNew ? andAnother('Create') : undefined}
        cancel={paths.locations.list}
      >
        <Input form={form} name="location_code" label="Location code" required max={20} autoFocus={isNew} />
        <Select form={form} name="location_type" label="Type" required options={optionsOf(LOCATION_TYPES)} />
        <Input form={form} name="location_name" label="Location name" required max={100} wide />
        <OtherNames form={form} />
        <Input form={form} name="address" label="Address" max={255} wide />
        <Input form={form} name="phone" label="Phone" type="tel" max={20} />
        <Input form={form} name="contact_email" label="Contact e-mail" type="email" max={100} />
        <Check form={form} name="is_active" label="Active: offered in drop-downs" />
      </Form>
    </FormPage>
  )
}
