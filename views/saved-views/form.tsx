import { paths } from '../../src/platform/paths'
import { Check, Input, type Option, Select } from '../ui/fields'
import { Form } from '../ui/form'
import { FormPage } from '../ui/form-page'
import { type FormState, fieldValue } from '../ui/form-state'

type Props = {
  title: string
  action: string
  form: FormState
  /** Other saved views of the user for the same list. The new view can replace one of them. */
  instead?: Option[]
}

export function SavedViewForm({ title, action, form, instead = [] }: Props) {
  return (
    <FormPage title={title}>
      <Form action={action} form={form} submit="Save" cancel={paths.views.list}>
        <input type="hidden" name="list" value={fieldValue(form, 'list')} />
        <input type="hidden" name="query" value={fieldValue(form, 'query')} />
        {instead.length > 0 && (
          <Select
            form={form}
            name="instead"
            label="Replace"
            blank="None: create a new view"
            options={instead}
            hint="The replaced view keeps its name and sharing"
          />
        )}
        <Input form={form} name="name" label="Name" required max={50} hint="Shown in the sidebar" />
        <Check form={form} name="shared" label="Share with everyone" />
      </Form>
    </FormPage>
  )
}
