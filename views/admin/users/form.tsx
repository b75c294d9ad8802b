import { paths } from '../../../src/paths'
import { Check, Input, Select } from '../../ui/fields'
import { Form } from '../../ui/form'
import { FormPage } from '../../ui/form-page'
import type { FormState } from '../../ui/form-state'

const ROLE_OPTIONS = [
  { value: 'user', label: 'User' },
  { value: 'admin', label: 'Administrator' },
]

export const PASSWORD_HINT = 'Minimum 8 characters with uppercase, lowercase, and number, and not a common password'

type Props = { action: string; form: FormState; isNew: boolean; isSelf: boolean }

export function UserForm({ action, form, isNew, isSelf }: Props) {
  return (
    <FormPage title={isNew ? 'Add user' : 'Edit user'}>
      <Form
        entity="users"
        action={action}
        form={form}
        submit={isNew ? 'Create user' : 'Save changes'}
        cancel={paths.users.list}
      >
        <Input
          form={form}
          name="username"
          label="Username"
          required
          max={50}
          readOnly={!isNew}
          hint={isNew ? '3 to 50 characters; it cannot be changed later' : undefined}
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
            required
            hint={PASSWORD_HINT}
            autoComplete="new-password"
            wide
          />
        )}
        <Input form={form} name="first_name" label="First name" max={50} />
        <Input form={form} name="last_name" label="Last name" max={50} />
        <Input form={form} name="email" label="E-mail" type="email" max={100} />
        <Input form={form} name="phone" label="Phone" type="tel" max={20} />
        {isNew && (
          <Check form={form} name="must_change_password" label="Must choose a new password at the next sign-in" />
        )}
        {!isSelf && <Check form={form} name="is_active" label="Active: may sign in" />}
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
          required
          hint={PASSWORD_HINT}
          autoComplete="new-password"
          wide
        />
        <Input
          form={form}
          name="confirmPassword"
          label="Confirm password"
          type="password"
          required
          autoComplete="new-password"
          wide
        />
        <Check form={form} name="must_change_password" label="Must choose a new password at the next sign-in" />
      </Form>
    </FormPage>
  )
}
