import type { SignInMethod, TokenScope } from '../../db/vocabulary'
import { paths } from '../../src/platform/paths'
import { NONE, showInstant } from '../format'
import { browserOf, type SessionRow, sessionColumns } from '../session-columns'
import { Badge } from '../ui/badge'
import { CurrentPassword } from '../ui/current-password'
import { Input, Select } from '../ui/fields'
import { Form } from '../ui/form'
import type { FormState } from '../ui/form-state'
import { PageHead } from '../ui/page-head'
import { TablePanel } from '../ui/plain-table'

type TokenRow = {
  id: number
  name: string
  scope: TokenScope
  allowed_addresses: string[]
  expires_at: Date
  last_used_at: Date | null
  created_at: Date
}
type SignInRow = {
  id: number
  at: Date
  method: SignInMethod
  is_accepted: boolean
  address: string | null
  user_agent: string | null
}
type Props = {
  sessions: SessionRow[]
  signIns: SignInRow[]
  tokens: TokenRow[]
  newToken: { name: string; token: string } | undefined
  now: Date
}

const SCOPE_LABELS: Record<TokenScope, string> = {
  read: 'Read only',
  records: 'Records and imports',
  write: 'All actions available to you',
}
const SCOPES = Object.entries(SCOPE_LABELS).map(([value, label]) => ({ value, label }))

const METHODS: Record<SignInMethod, string> = { password: 'Password', single_sign_on: 'Single sign-on' }

export function AccessPage({
  sessions,
  signIns,
  tokens,
  newToken,
  now,
  form,
  timeZone,
}: Props & { form: FormState; timeZone: string }) {
  return (
    <>
      <PageHead
        title="Sessions and API tokens"
        lead="Your sign-ins, and the integrations that act in your name"
        hasManyActions
      >
        <a className="button" href={paths.twoFactor.show}>
          Two-factor authentication
        </a>
        <a className="button" href={paths.profile}>
          Back to Profile
        </a>
      </PageHead>
      {newToken && (
        <section className="banner banner-success" role="status">
          <p>
            The token <strong>{newToken.name}</strong> is shown only once. Copy it before you leave this page:
          </p>
          <p>
            <code className="secret">{newToken.token}</code>
          </p>
        </section>
      )}
      <TablePanel
        caption="Your sessions"
        title="Sessions"
        rows={sessions.map((session, id) => ({ ...session, id }))}
        latest={100}
        empty="No active sessions"
        columns={sessionColumns(timeZone, 'This session', ({ key }) => (
          <form method="post" action={paths.endSession(key)} className="row-actions">
            <button type="submit" className="is-danger">
              End
            </button>
          </form>
        ))}
      >
        {sessions.length > 1 && (
          <form method="post" action={paths.endOtherSessions} className="panel-foot">
            <label className="check">
              <input type="checkbox" name="revoke_tokens" value="true" defaultChecked /> Also revoke my API tokens
            </label>
            <button type="submit" className="button">
              End all others
            </button>
          </form>
        )}
      </TablePanel>
      <TablePanel
        title="API tokens"
        caption="Your API tokens"
        rows={tokens}
        empty="You have no API tokens"
        columns={[
          { label: 'Name', cell: (row) => row.name },
          { label: 'Scope', cell: (row) => SCOPE_LABELS[row.scope] },
          { label: 'Addresses', cell: (row) => row.allowed_addresses.join(', ') || 'All' },
          { label: 'Created', cell: (row) => showInstant(row.created_at, timeZone) },
          { label: 'Last used', cell: (row) => showInstant(row.last_used_at, timeZone) },
          {
            label: 'Expires',
            cell: (row) =>
              row.expires_at <= now ? <Badge tone="danger">Expired</Badge> : showInstant(row.expires_at, timeZone),
          },
          {
            label: 'Actions',

            cell: (row) => (
              <form method="post" action={paths.revokeToken(row.id)} className="row-actions">
                <button type="submit" className="is-danger" aria-label={`Revoke ${row.name}`}>
                  Revoke
                </button>
              </form>
            ),
          },
        ]}
      />
      <section className="panel">
        <h2>New API token</h2>
        <p className="lead">
          For an integration that acts in your name. A token can never change your password, sessions or tokens.
        </p>
        <Form action={paths.createToken} form={form} submit="Create token" busy="Creating..." isWhole hasPassword>
          <Input form={form} name="name" label="Name" required max={100} hint="What the token is for" />
          <Select form={form} name="scope" label="Scope" options={SCOPES} />
          <Input
            form={form}
            name="days"
            label="Days until the token expires"
            inputMode="numeric"
            max={3}
            hint="At most 366"
          />
          <Input
            form={form}
            name="allowed_addresses"
            label="Allowed addresses"
            max={1000}
            hint="IP addresses or networks separated by commas, for example 203.0.113.0/24. If blank, all are allowed."
          />
          <CurrentPassword form={form} />
        </Form>
      </section>
      <TablePanel
        title="Sign-ins"
        caption="Your latest sign-ins"
        rows={signIns}
        empty="No sign-ins yet"
        columns={[
          { label: 'Time', cell: (row) => showInstant(row.at, timeZone) },
          {
            label: 'Result',
            cell: (row) =>
              row.is_accepted ? <Badge tone="success">Signed in</Badge> : <Badge tone="danger">Failed</Badge>,
          },
          { label: 'Method', cell: (row) => METHODS[row.method] },
          { label: 'Browser', cell: (row) => browserOf(row.user_agent) },
          { label: 'Address', cell: (row) => row.address ?? NONE },
        ]}
      />
    </>
  )
}
