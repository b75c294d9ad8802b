import { paths } from '../../src/paths'
import { showInstant } from '../format'
import { type SessionRow, sessionColumns } from '../session-columns'
import { Badge } from '../ui/badge'
import { Input, Select } from '../ui/fields'
import { Form } from '../ui/form'
import type { FormState } from '../ui/form-state'
import { PageHead } from '../ui/page-head'
import { TablePanel } from '../ui/plain-table'

type TokenRow = {
  id: number
  name: string
  scope: 'read' | 'write'
  expires_at: Date
  last_used_at: Date | null
  created_at: Date
}
type Props = {
  sessions: SessionRow[]
  tokens: TokenRow[]
  made: { name: string; token: string } | undefined
  now: Date
}

const SCOPES = [
  { value: 'read', label: 'Read only' },
  { value: 'write', label: 'Read and write' },
]

/** Where somebody is signed in, and what they let in beside themselves. */
export function AccessPage({
  sessions,
  tokens,
  made,
  now,
  form,
  timeZone,
}: Props & { form: FormState; timeZone: string }) {
  return (
    <>
      <PageHead title="Sessions and API tokens" lead="Where you are signed in, and what you let in beside yourself">
        <a className="button" href={paths.profile}>
          Back to Profile
        </a>
      </PageHead>
      {made && (
        <section className="banner banner-success" role="status">
          <p>
            The token <strong>{made.name}</strong>, shown only now. Copy it before you leave this page:
          </p>
          <p>
            <code className="secret">{made.token}</code>
          </p>
        </section>
      )}
      <TablePanel
        title="Sessions"
        caption="Your sessions"
        rows={sessions.map((session, id) => ({ ...session, id }))}
        empty="You are signed in nowhere"
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
          { label: 'May', cell: (row) => (row.scope === 'read' ? 'Read only' : 'Read and write') },
          { label: 'Made', cell: (row) => showInstant(row.created_at, timeZone) },
          { label: 'Last used', cell: (row) => showInstant(row.last_used_at, timeZone) },
          {
            label: 'Ends',
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
          For an integration that works in your name. It may do what you may, but never change your sign-in.
        </p>
        <Form action={paths.createToken} form={form} submit="Make token" busy="Making..." isWhole>
          <Input form={form} name="name" label="Name" required max={100} hint="What it is for" />
          <Select form={form} name="scope" label="May" options={SCOPES} />
          <Input form={form} name="days" label="Days until it ends" inputMode="numeric" max={3} hint="At most 366" />
        </Form>
      </section>
    </>
  )
}
