import { paths } from '../../src/paths'
import { Check, Input } from '../ui/fields'
import { Form } from '../ui/form'
import { FormPage } from '../ui/form-page'
import { type FormState, fieldValue } from '../ui/form-state'

type Props = { title: string; action: string; form: FormState }

/** The name of a kept list, and who sees it. */
export function SavedViewForm({ title, action, form }: Props) {
  return (
    <FormPage title={title}>
      <Form action={action} form={form} submit="Save" cancel={paths.views.list}>
        <input type="hidden" name="list" value={fieldValue(form, 'list')} />
        <input type="hidden" name="query" value={fieldValue(form, 'query')} />
        <Input form={form} name="name" label="Name" required max={50} hint="It stands in the sidebar" />
        <Check form={form} name="shared" label="Everybody sees it" />
      </Form>
    </FormPage>
  )
}
