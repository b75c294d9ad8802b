import type { Role } from '../../db/vocabulary'
import { paths } from '../../src/paths'
import { showCount, showDate } from '../format'
import type { TransportRow } from '../transports/types'
import { StatusBadge } from '../ui/badge'
import { PageHead } from '../ui/page-head'

type Clerk = { username: string; first_name: string | null; role: Role }
type Props = { clerk: Clerk; activeTransports: number; recentTransports: TransportRow[] }

export function DashboardPage({ clerk, activeTransports, recentTransports }: Props) {
  return (
    <>
      <PageHead
        title={`Welcome back, ${clerk.first_name || clerk.username}!`}
        lead={clerk.role === 'admin' ? 'Administrator Dashboard' : 'Fleet Management Dashboard'}
      />
      <div className="cards cards-four">
        <a className="card card-link" href={paths.transports.active}>
          <h2>Active Transports</h2>
          <p className="card-figure">{showCount(activeTransports)}</p>
        </a>
      </div>
      <section className="panel">
        <h2>Recent transports</h2>
        {recentTransports.length === 0 ? (
          <p className="empty-line">No transports yet</p>
        ) : (
          <table className="table">
            <thead>
              <tr>
                <th scope="col">Unit #</th>
                <th scope="col">Location out</th>
                <th scope="col">Location in</th>
                <th scope="col">Move date</th>
                <th scope="col">Status</th>
              </tr>
            </thead>
            <tbody>
              {recentTransports.map((row) => (
                <tr key={row.id}>
                  <td>{row.unit_number}</td>
                  <td>{row.location_out_name}</td>
                  <td>{row.location_in_name}</td>
                  <td>{showDate(row.move_date)}</td>
                  <td>
                    <StatusBadge status={row.status} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
    </>
  )
}
