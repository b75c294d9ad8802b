import { paths } from '../../../src/paths'
import { browserOf } from '../../browser-of'
import { NONE, showInstant } from '../../format'
import { Badge } from '../../ui/badge'
import { FormPage } from '../../ui/form-page'
import { PlainTable } from '../../ui/plain-table'

export type SessionRow = {
  key: string
  is_current: boolean
  created_at: Date
  last_seen_at: Date
  address: string | null
  user_agent: string | null
}
type Props = { id: number; username: string; sessions: SessionRow[]; timeZone: string }

/** Where somebody is signed in, each to be ended. */
export function SessionsPage({ id, username, sessions, timeZone }: Props) {
  const others = sessions.filter(({ is_current }) => !is_current)
  return (
    <FormPage title={`Sessions of ${username}`} narrow={false}>
      <PlainTable
        caption={`Sessions of ${username}`}
        rows={sessions.map((session, at) => ({ ...session, id: at }))}
        empty="Signed in nowhere"
        columns={[
          { label: 'Browser', cell: (row) => browserOf(row.user_agent) },
          { label: 'Address', cell: (row) => row.address ?? NONE },
          { label: 'Signed in', cell: (row) => showInstant(row.created_at, timeZone) },
          { label: 'Last used', cell: (row) => showInstant(row.last_seen_at, timeZone) },
          {
            label: 'Actions',
            cell: (row) =>
              row.is_current ? (
                <Badge tone="success">Yours, here</Badge>
              ) : (
                <End id={id} session={row.key} label="End" />
              ),
          },
        ]}
      />
      <div className="form-buttons">
        {others.length > 1 && <End id={id} session="" label={`End all ${others.length}`} />}
        <a className="button" href={paths.users.list} data-close-modal="">
          Close
        </a>
      </div>
    </FormPage>
  )
}

/** Ends one session, or all of them where none is named. */
function End({ id, session, label }: { id: number; session: string; label: string }) {
  const action = paths.users.endSessions(id)
  return (
    <form method="post" action={action} hx-post={action} className="row-actions">
      <input type="hidden" name="key" value={session} />
      <button type="submit" className="is-danger">
        {label}
      </button>
    </form>
  )
}
