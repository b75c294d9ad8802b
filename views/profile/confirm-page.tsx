import { paths } from '../../src/platform/paths'
import { CurrentPassword } from '../ui/current-password'
import { Form } from '../ui/form'
import { FormPage } from '../ui/form-page'
import { type FormState, fieldValue } from '../ui/form-state'

export function ConfirmPage({ form }: { form: FormState }) {
  return (
    <FormPage title="Confirm your password">
      <p className="lead">This is a sensitive change, and you entered your password some time ago.</p>
      <Form action={paths.confirmPassword} form={form} submit="Confirm" busy="Confirming..." isWhole hasPassword>
        <input type="hidden" name="next" value={fieldValue(form, 'next')} />
        <CurrentPassword form={form} />
      </Form>
    </FormPage>
  )
}
