import { useContext } from 'react'
import type { Role } from '../../db/vocabulary'
import { paths } from '../../src/platform/paths'
import { showInstant } from '../format'
import { ActiveBadge } from '../ui/badge'
import { Facts } from '../ui/facts'
import { Check, Input } from '../ui/fields'
import { Form } from '../ui/form'
import type { FormState } from '../ui/form-state'
import { Identity } from '../ui/identity'
import { PageHead } from '../ui/page-head'
import { Tabs } from '../ui/tabs'
import { PASSWORD_HINT } from '../users/form'

type Account = {
  username: string
  role: Role
  is_active: boolean
  created_at: Date
  previous_login: Date | null
  must_change_password: boolean
}
type Props = { tab: 'info' | 'password'; account: Account; form: FormState; timeZone: string }

/** The list of users shows the current sign-in, so the text names the difference. */
const lastLogin = (previous: Date | null, timeZone: string) =>
  previous ? `${showInstant(previous, timeZone)}, before this one` : 'First login'

export function ProfilePage({ tab, account, form, timeZone }: Props) {
  const { hasPassword } = useContext(Identity)
  return (
    <>
      <PageHead title="Profile" lead={`${account.username}, ${account.role === 'admin' ? 'Administrator' : 'User'}`} />
      {account.must_change_password && (
        <p className="banner banner-warning" role="status">
          Please choose a new password before you continue.
        </p>
      )}
      <Tabs
        label="Profile"
        tabs={[
          { href: paths.profile, label: 'Profile Information', isCurrent: tab === 'info' },
          { href: paths.profilePassword, label: 'Change Password', isCurrent: tab === 'password' },
        ]}
      />
      <div className="columns-two">
        <section className="panel">
          {tab === 'info' ? (
            <InformationForm form={form} account={account} />
          ) : hasPassword ? (
            <PasswordForm form={form} />
          ) : (
            <p>You sign in with single sign-on. Your account has no password here.</p>
          )}
        </section>
        <section className="panel">
          <h2>Account Information</h2>
          <Facts
            facts={[
              ['Account created', showInstant(account.created_at, timeZone)],
              ['Last login', lastLogin(account.previous_login, timeZone)],
              ['Account status', <ActiveBadge key="status" active={account.is_active} />],
            ]}
          />
          <p>
            <a href={paths.profileAccess}>Sessions and API tokens</a>
          </p>
        </section>
      </div>
    </>
  )
}

function InformationForm({ form, account }: { form: FormState; account: Account }) {
  const formState = {
    ...form,
    values: { ...form.values, username: account.username, role: account.role === 'admin' ? 'Administrator' : 'User' },
  }
  return (
    <Form action={paths.profile} form={formState} submit="Save profile">
      <Input form={formState} name="username" label="Username" readOnly hint="The username cannot be changed" />
      <Input form={formState} name="role" label="Role" readOnly hint="An administrator sets the role" />
      <Input form={formState} name="first_name" label="First name" max={50} autoComplete="given-name" />
      <Input form={formState} name="last_name" label="Last name" max={50} autoComplete="family-name" />
      <Input form={formState} name="email" label="E-mail" type="email" max={100} autoComplete="email" />
      <Input form={formState} name="phone" label="Phone" type="tel" max={20} autoComplete="tel" />
      <Check form={formState} name="wants_due_mail" label="E-mail me the due items every day" />
    </Form>
  )
}

function PasswordForm({ form }: { form: FormState }) {
  return (
    <Form action={paths.profilePassword} form={form} submit="Change password">
      <Input
        form={form}
        name="currentPassword"
        label="Current password"
        type="password"
        required
        autoComplete="current-password"
        wide
      />
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
        label="Confirm new password"
        type="password"
        required
        autoComplete="new-password"
        wide
      />
      <Check form={form} name="revoke_tokens" label="Also revoke my API tokens" wide />
    </Form>
  )
}
