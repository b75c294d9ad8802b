import { useContext } from 'react'
import { Input } from './fields'
import type { FormState } from './form-state'
import { Identity, singleSignOnUrl } from './identity'

/** Asks for proof of identity: the current password or single sign-on. */
export function CurrentPassword({ form }: { form: FormState }) {
  const { hasPassword, hasSingleSignOn, page } = useContext(Identity)
  return (
    <>
      {hasPassword && (
        <Input
          form={form}
          name="current_password"
          label="Your current password"
          type="password"
          required={!hasSingleSignOn}
          autoComplete="current-password"
        />
      )}
      {hasSingleSignOn && (
        <p className="field-wide hint">
          <a href={singleSignOnUrl(page)}>Confirm with single sign-on</a>
          {hasPassword ? ' instead' : ''}. You can then make this change for five minutes.
        </p>
      )}
    </>
  )
}
