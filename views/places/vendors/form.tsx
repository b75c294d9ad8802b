import { paths } from '../../../src/platform/paths'
import { Check, Input, TextArea } from '../../ui/fields'
import { andAnother, Form } from '../../ui/form'
import { FormPage } from '../../ui/form-page'
import type { FormState } from '../../ui/form-state'
import { OtherNames } from '../other-names'

const USUAL_TYPES = ['Repair Shop', 'Towing', 'Parts Supplier']

export function VendorForm({
  action,
  form,
  isNew,
  types,
}: {
  action: string
  form: FormState
  isNew: boolean
  types: string[]
}) {
  return (
    <FormPage title={isNew ? 'Add vendor' : 'Edit vendor'}>
      <Form
        entity="vendors"
        action={action}
        form={form}
        submit={isNew ? 'Create vendor' : 'Save changes'}
        also={isNew ? andAnother('Create') : undefined}
        cancel={paths.vendors.list}
      >
        <Input form={form} name="vendor_name" label="Vendor name" required max={100} wide autoFocus={isNew} />
        <OtherNames form={form} />
        <Input form={form} name="vendor_type" label="Type" max={50} list={[...new Set([...types, ...USUAL_TYPES])]} />
        <Input form={form} name="contact_person" label="Contact person" max={100} />
        <Input form={form} name="address" label="Address" max={255} wide />
        <Input form={form} name="phone" label="Phone" type="tel" max={20} />
        <Input form={form} name="email" label="E-mail" type="email" max={100} />
        <Input
          form={form}
          name="storage_daily_rate"
          label="Storage rate per day ($)"
          type="number"
          step="0.01"
          hint="Default rate for new OSL entries with this vendor"
        />
        <Input
          form={form}
          name="storage_grace_days"
          label="Grace days"
          inputMode="numeric"
          max={4}
          hint="Number of days after the OSL date without storage fees"
        />
        <TextArea form={form} name="notes" label="Notes" wide max={5000} />
        <Check form={form} name="is_active" label="Active" />
      </Form>
    </FormPage>
  )
}
