import { paths } from '../../src/platform/paths'
import { CurrentPassword } from '../ui/current-password'
import { Form } from '../ui/form'
import { FormPage } from '../ui/form-page'
import { type FormState, fieldValue } from '../ui/form-state'

type Props = {
  form: FormState
  /** URL path that confirms the user by single sign-on. Undefined for an account without single sign-on. */
  singleSignOn?: string | undefined
}

export function ConfirmPage({ form, singleSignOn }: Props) {
  return (
    <FormPage title="Confirm your password">
      <p className="lead">This change is sensitive. Confirm your password to continue.</p>
      <Form action={paths.confirmPassword} form={form} submit="Confirm" busy="Confirming..." isWhole hasPassword>
        <input type="hidden" name="next" value={fieldValue(form, 'next')} />
        <CurrentPassword form={form} />
      </Form>
      {singleSignOn && (
        <p>
          <a href={singleSignOn}>Confirm with single sign-on instead</a>
        </p>
      )}
    </FormPage>
  )
}
