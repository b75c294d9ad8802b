import { paths } from '../../src/platform/paths'
import { Check, Input, Select } from '../ui/fields'
import { andAnother, Form, FormDone } from '../ui/form'
import { FormPage } from '../ui/form-page'
import type { FormState } from '../ui/form-state'

const ROLE_OPTIONS = [
  { value: 'user', label: 'User' },
  { value: 'admin', label: 'Administrator' },
]

export const PASSWORD_HINT =
  'Minimum 8 characters with uppercase, lowercase, and number. Common passwords and names are not accepted.'

const TemporaryCheck = ({ form }: { form: FormState }) => (
  <Check
    form={form}
    name="temporary_password"
    label="If the password is blank, generate a temporary one and show it once"
    wide
  />
)

type Props = {
  action: string
  form: FormState
  isNew: boolean
  isSelf: boolean
  hasSingleSignOn: boolean
}

export function UserForm({ action, form, isNew, isSelf, hasSingleSignOn }: Props) {
  return (
    <FormPage title={isNew ? 'Add user' : 'Edit user'}>
      <Form
        entity="users"
        action={action}
        form={form}
        submit={isNew ? 'Create user' : 'Save changes'}
        also={isNew ? andAnother('Create') : undefined}
        cancel={paths.users.list}
      >
        <Input
          form={form}
          name="username"
          label="Username"
          required
          max={50}
          readOnly={!isNew}
          autoFocus={isNew}
          hint={isNew ? '3 to 50 characters. The username cannot be changed later' : undefined}
        />
        {isSelf ? (
          <Input form={form} name="role" label="Role" readOnly hint="You cannot change your own role" />
        ) : (
          <Select form={form} name="role" label="Role" required options={ROLE_OPTIONS} />
        )}
        {isNew && (
          <Input
            form={form}
            name="password"
            label="Password"
            type="password"
            hint={PASSWORD_HINT}
            autoComplete="new-password"
            wide
          />
        )}
        {isNew && <TemporaryCheck form={form} />}
        <Input form={form} name="first_name" label="First name" max={50} />
        <Input form={form} name="last_name" label="Last name" max={50} />
        <Input form={form} name="email" label="E-mail" type="email" max={100} />
        <Input form={form} name="phone" label="Phone" type="tel" max={20} />
        {isNew && (
          <Check form={form} name="must_change_password" label="Must choose a new password at the next sign-in" wide />
        )}
        {hasSingleSignOn && (
          <Check form={form} name="single_sign_on" label="Allow single sign-on with this username" wide />
        )}
        {!isSelf && <Check form={form} name="is_active" label="Active: can sign in" wide />}
      </Form>
    </FormPage>
  )
}

export function ResetPasswordForm({ username, action, form }: { username: string; action: string; form: FormState }) {
  return (
    <FormPage title={`Reset password of ${username}`}>
      <Form action={action} form={form} submit="Reset password" cancel={paths.users.list}>
        <Input
          form={form}
          name="newPassword"
          label="New password"
          type="password"
          hint={PASSWORD_HINT}
          autoComplete="new-password"
          wide
        />
        <Input
          form={form}
          name="confirmPassword"
          label="Confirm password"
          type="password"
          autoComplete="new-password"
          wide
        />
        <TemporaryCheck form={form} />
        <Check form={form} name="must_change_password" label="Must choose a new password at the next sign-in" wide />
      </Form>
    </FormPage>
  )
}

type TemporaryPasswordProps = {
  title: string
  message: string
  username: string
  password: string
  another?: string | undefined
}

/** This is the only page that ever shows the password. */
export const TemporaryPassword = ({ title, message, username, password, another }: TemporaryPasswordProps) => (
  <FormPage title={title}>
    <FormDone list={paths.users.list} another={another}>
      <div className="banner banner-success">
        <p>
          {message} This is the temporary password of <strong>{username}</strong>. It is shown only once. Copy it before
          you continue:
        </p>
        <p>
          <code className="secret">{password}</code>
        </p>
      </div>
      <p>The user must choose a new password at the next sign-in.</p>
    </FormDone>
  </FormPage>
)

export function ResetFactorForm({ username, action, form }: { username: string; action: string; form: FormState }) {
  return (
    <FormPage title="Reset two-factor authentication?">
      <p>
        <strong>{username}</strong> can then sign in with the password alone. Before you continue, make sure that this
        user asked for the reset.
      </p>
      <Form action={action} form={form} submit="Reset" cancel={paths.users.list} danger />
    </FormPage>
  )
}
