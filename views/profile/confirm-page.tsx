import { useContext } from 'react'
import { paths } from '../../src/platform/paths'
import { CurrentPassword } from '../ui/current-password'
import { Form } from '../ui/form'
import { FormPage } from '../ui/form-page'
import { type FormState, fieldValue } from '../ui/form-state'
import { Identity, singleSignOnUrl } from '../ui/identity'

export function ConfirmPage({ form }: { form: FormState }) {
  const proof = useContext(Identity)
  const next = fieldValue(form, 'next')
  return (
    <FormPage title={proof.hasPassword ? 'Confirm your password' : 'Confirm your identity'}>
      <p className="lead">Before a sensitive change, confirm your identity. The confirmation is valid for one hour.</p>
      {proof.hasPassword ? (
        <Form action={paths.confirmPassword} form={form} submit="Confirm" busy="Confirming..." isWhole hasPassword>
          <input type="hidden" name="next" value={next} />
          <Identity.Provider value={{ ...proof, page: next }}>
            <CurrentPassword form={form} />
          </Identity.Provider>
        </Form>
      ) : (
        <p>
          <a className="button button-primary" href={singleSignOnUrl(next)}>
            Confirm with single sign-on
          </a>
        </p>
      )}
    </FormPage>
  )
}
