import type { Passkey } from '../../src/platform/auth/passkeys'
import { paths, withQuery } from '../../src/platform/paths'
import { showInstant } from '../format'
import { CurrentPassword } from '../ui/current-password'
import { Input } from '../ui/fields'
import { Form } from '../ui/form'
import { FormPage } from '../ui/form-page'
import type { FormState } from '../ui/form-state'
import { PlainTable } from '../ui/plain-table'

const TITLE = 'Two-factor authentication'
const NEW_PASSKEY: FormState = { values: {} }
/** This page asks for the password. It asks only if the user entered the password more than an hour ago. */
const CONFIRM = withQuery(paths.confirmPassword, { next: paths.twoFactor.show })

const BackToProfile = () => (
  <p>
    <a className="button" href={paths.profileAccess}>
      Back to sessions and API tokens
    </a>
  </p>
)

export function TwoFactorOff({ form }: { form: FormState }) {
  return (
    <FormPage title={TITLE}>
      <p className="lead">
        At each sign-in you also enter a code from an authenticator app, such as Google Authenticator, 1Password or
        Aegis. Nobody can sign in with your password alone.
      </p>
      <Form
        action={paths.twoFactor.begin}
        form={form}
        submit="Set up"
        busy="Setting up..."
        cancel={paths.profileAccess}
        isWhole
        hasPassword
      >
        <CurrentPassword form={form} />
      </Form>
    </FormPage>
  )
}

type SetupProps = {
  secret: string
  /** The encrypted secret. The form sends it back, so that the page can show the secret again after a wrong code. */
  sealed: string
  qrCode: string
  form: FormState
}

export function TwoFactorSetup({ secret, sealed, qrCode, form }: SetupProps) {
  return (
    <FormPage title={TITLE}>
      <p>Scan this code with your authenticator app, or type the key into the app.</p>
      <img className="qr" width="200" height="200" alt="QR code of the key below" src={qrCode} />
      <p>
        <code className="secret">{(secret.match(/.{1,4}/g) ?? []).join(' ')}</code>
      </p>
      <Form
        action={paths.twoFactor.confirm}
        form={form}
        submit="Turn on"
        busy="Checking..."
        cancel={paths.profileAccess}
        // Save no draft, because a code is valid for only 30 seconds.
        draft={null}
        isWhole
        hasPassword
      >
        <input type="hidden" name="setup" value={sealed} />
        <Input
          form={form}
          name="code"
          label="Code"
          required
          inputMode="numeric"
          max={10}
          autoComplete="one-time-code"
          hint="The six digits that the app shows now"
        />
      </Form>
    </FormPage>
  )
}

export function RecoveryCodes({ codes }: { codes: string[] }) {
  return (
    <FormPage title="Recovery codes">
      <p className="banner banner-success" role="status">
        Two-factor authentication is on. Store these codes in a safe place. They are shown only once. Each code replaces
        a code from your app for one sign-in.
      </p>
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code className="secret">{code}</code>
          </li>
        ))}
      </ul>
      <BackToProfile />
    </FormPage>
  )
}

type TwoFactorProps = {
  recoveryCodeCount: number
  passkeys: Passkey[]
  timeZone: string
  form: FormState
}

export function TwoFactorOn({ recoveryCodeCount, passkeys, timeZone, form }: TwoFactorProps) {
  return (
    <FormPage title={TITLE}>
      <p className="lead">
        Two-factor authentication is on. You have {recoveryCodeCount} unused recovery{' '}
        {recoveryCodeCount === 1 ? 'code' : 'codes'}. To get new codes, turn it off and set it up again.
      </p>
      <Form
        action={paths.twoFactor.remove}
        form={form}
        submit="Turn off"
        busy="Turning off..."
        cancel={paths.profileAccess}
        isWhole
        hasPassword
        danger
      >
        <CurrentPassword form={form} />
      </Form>
      <Passkeys {...{ passkeys, timeZone }} />
    </FormPage>
  )
}

function Passkeys({ passkeys, timeZone }: Pick<TwoFactorProps, 'passkeys' | 'timeZone'>) {
  return (
    <section className="below panel">
      <h2>Passkeys</h2>
      <p>
        At sign-in, you can use a passkey on this device or on a security key instead of a code. Turning off two-factor
        authentication removes all passkeys.
      </p>
      <PlainTable
        caption="Passkeys"
        empty="No passkeys"
        rows={passkeys}
        columns={[
          { label: 'Name', cell: ({ name }) => name },
          { label: 'Added', cell: ({ created_at }) => showInstant(created_at, timeZone) },
          {
            label: 'Last used',
            cell: ({ last_used_at }) => showInstant(last_used_at, timeZone),
          },
          {
            label: 'Actions',
            cell: ({ id, name }) => (
              <form method="post" action={paths.twoFactor.removePasskey(id)} className="row-actions">
                <button type="submit" className="is-danger" aria-label={`Remove ${name}`}>
                  Remove
                </button>
              </form>
            ),
          },
        ]}
      />
      <form className="form with-script" data-passkey={CONFIRM}>
        <p className="banner banner-danger" role="alert" data-passkey-message="" hidden />
        <div className="fields">
          <Input form={NEW_PASSKEY} name="name" label="Name of the passkey" required max={60} />
        </div>
        <div className="form-buttons">
          <button type="submit" className="button" disabled>
            Add a passkey
          </button>
        </div>
      </form>
    </section>
  )
}
