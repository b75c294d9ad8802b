import { paths } from '../../../src/platform/paths'
import { Check, Input, TextArea } from '../../ui/fields'
import { andAnother, Form } from '../../ui/form'
import { FormPage } from '../../ui/form-page'
import type { FormState } from '../../ui/form-state'
import { OtherNames } from '../other-names'

export function TransportCompanyForm({ action, form, isNew }: { action: string; form: FormState; isNew: boolean }) {
  return (
    <FormPage title={isNew ? 'Add transport company' : 'Edit transport company'}>
      <Form
        entity="transport_companies"
        action={action}
        form={form}
        submit={isNew ? 'Create transport company' : 'Save changes'}
        also={isNew ? andAnother('Create') : undefined}
        cancel={paths.transportCompanies.list}
      >
        <Input form={form} name="company_name" label="Company name" required max={100} wide autoFocus={isNew} />
        <OtherNames form={form} />
        <Input form={form} name="contact_person" label="Contact person" max={100} />
        <Input form={form} name="phone" label="Phone" type="tel" max={20} />
        <Input form={form} name="email" label="E-mail" type="email" max={100} wide />
        <TextArea form={form} name="notes" label="Notes" wide max={5000} />
        <Check form={form} name="is_active" label="Active: offered in drop-downs" />
      </Form>
    </FormPage>
  )
}
