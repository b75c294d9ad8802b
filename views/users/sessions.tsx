import { paths } from '../../src/platform/paths'
import { type SessionRow, sessionColumns } from '../session-columns'
import { FormPage } from '../ui/form-page'
import { PlainTable } from '../ui/plain-table'

type Props = { id: number; username: string; sessions: SessionRow[]; timeZone: string }

export function SessionsPage({ id, username, sessions, timeZone }: Props) {
  const others = sessions.filter(({ is_current }) => !is_current)
  return (
    <FormPage title={`Sessions of ${username}`} narrow={false}>
      <PlainTable
        caption={`Sessions of ${username}`}
        rows={sessions.map((session, at) => ({ ...session, id: at }))}
        latest={100}
        empty="No active sessions"
        columns={sessionColumns(timeZone, 'This session', ({ key }) => <End id={id} session={key} label="End" />)}
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

/**
 * Button that ends a session of a user. If `session` is empty, it ends all sessions of this user. Administrators who
 * end all of their own sessions keep the current one.
 */
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
