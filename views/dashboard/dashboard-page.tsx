import type { Role } from '../../db/vocabulary'
import type { OslEntry as OslRow } from '../../src/features/osl/queries'
import type { Registration as RegistrationRow } from '../../src/features/registrations/queries'
import type { Transport as TransportRow } from '../../src/features/transports/queries'
import { paths, withQuery } from '../../src/platform/paths'
import { areCostsSeen } from '../costs'
import { cut, showCount, showDays, showMoney } from '../format'
import { Island } from '../island'
import { type RunRow, runColumns } from '../reports/runs'
import { Badge, OslBadge, StatusBadge } from '../ui/badge'
import { Unit } from '../ui/cells'
import { PageHead } from '../ui/page-head'
import { TablePanel } from '../ui/plain-table'
import { Day } from '../ui/today'
import { DuePanel, type DueSummary } from './due-panel'

type CurrentUser = { username: string; first_name: string | null; role: Role }

type Metrics = {
  active_transports: number
  active_osl: number
  pending_registrations: number
  pending_titles: number
  recent_transports: TransportRow[]
  recent_osl: OslRow[]
  expiring_registrations: RegistrationRow[]
  expiring_total: number
  storage_fees_total?: number
}

const URGENT_DAYS = 7

type Props = { user: CurrentUser; metrics: Metrics; runs: RunRow[]; due: DueSummary; timeZone: string }

export function DashboardPage({ user, metrics, runs, due, timeZone }: Props) {
  const isAdmin = user.role === 'admin'
  const fees = metrics.storage_fees_total ?? 0
  return (
    <>
      <PageHead
        title={`Welcome back, ${user.first_name || user.username}!`}
        lead={isAdmin ? 'Administrator Dashboard' : 'Fleet Management Dashboard'}
      />
      {isAdmin && isFresh(metrics) && <FirstSteps />}
      <DuePanel {...due} />
      <div className="cards">
        <MetricCard
          label="Active Transports"
          value={showCount(metrics.active_transports)}
          href={paths.transports.active}
        />
        <MetricCard label="Active OSL" value={showCount(metrics.active_osl)} href={paths.osl.active} />
        <MetricCard
          label="Pending Registrations"
          value={showCount(metrics.pending_registrations)}
          href={paths.registrations.list}
        />
        <MetricCard label="Pending Titles" value={showCount(metrics.pending_titles)} href={paths.titles.list} />
        {isAdmin && fees > 0 && (
          <MetricCard label="Active Storage Fees" value={showMoney(fees)} href={paths.osl.active} />
        )}
      </div>
      <section className="panel">
        <h2>Quick actions</h2>
        <div className="actions-list">
          <QuickAction href={paths.transports.create} label="New Transport" />
          <QuickAction href={paths.osl.create} label="New OSL Entry" />
          <QuickAction href={paths.vehicles.lookup} label="Vehicle Lookup" />
          <QuickAction href={paths.files.uploadShortcut} label="File Upload" />
          <QuickAction href={paths.reports} label="Reports" />
          {isAdmin && <QuickAction href={paths.locations.list} label="Admin Settings" />}
        </div>
      </section>
      {runs.length > 0 && areCostsSeen() && (
        <TablePanel
          title="Your scheduled reports"
          caption="Recent runs of your scheduled reports"
          rows={runs}
          empty=""
          columns={runColumns(timeZone)}
        />
      )}
      {areCostsSeen() && !isFresh(metrics) && <CostsByMonth />}
      <div className="columns-two">
        <TablePanel
          title="Recent transports"
          keepsColumns
          caption="Recent transports"
          rows={metrics.recent_transports}
          empty="No transports yet"
          columns={[
            { label: 'Unit #', cell: (row) => <Unit unit={row.unit_number} /> },
            { label: 'Route', cell: (row) => `${row.location_out_name} → ${row.location_in_name}` },
            { label: 'Move date', leaves: true, cell: (row) => <Day date={row.move_date} /> },
            { label: 'Status', cell: (row) => <StatusBadge status={row.status} /> },
          ]}
        />
        <TablePanel
          title="Recent OSL"
          keepsColumns
          caption="Recent OSL entries"
          rows={metrics.recent_osl}
          empty="No OSL entries yet"
          columns={[
            { label: 'Unit #', cell: (row) => <Unit unit={row.unit_number} href={paths.osl.show(row.id)} /> },
            { label: 'Problem', cell: (row) => <span title={row.problem}>{cut(row.problem, 60)}</span> },
            { label: 'Date', leaves: true, cell: (row) => <Day date={row.osl_date} /> },
            { label: 'Status', cell: (row) => <OslBadge status={row.status} /> },
          ]}
        />
      </div>
      <TablePanel
        title="Expiring Registrations (Next 30 Days)"
        keepsColumns
        caption="Expiring registrations"
        rows={metrics.expiring_registrations}
        empty="No registration expires in the next 30 days"
        columns={[
          { label: 'Unit #', cell: (row) => <Unit unit={row.unit_number} /> },
          {
            label: 'Plate',
            cell: (row) => (
              <span className="cut" title={row.plate_number}>
                {row.plate_number}
              </span>
            ),
          },
          { label: 'State', leaves: true, cell: (row) => row.state_province },
          { label: 'Expires', cell: (row) => <Day date={row.date_expires} /> },
          {
            label: 'Days until expiry',
            cell: (row) => (
              <Badge tone={row.days_until_expiry <= URGENT_DAYS ? 'danger' : 'warning'} shape="alert">
                {showDays(row.days_until_expiry)}
              </Badge>
            ),
          },
        ]}
      >
        {metrics.expiring_total > metrics.expiring_registrations.length && (
          <p className="panel-foot">
            <a href={withQuery(paths.registrations.list, { tab: 'expiring' })}>
              Show all {showCount(metrics.expiring_total)} expiring registrations
            </a>
          </p>
        )}
      </TablePanel>
      <Island name="modal" id="modal" props={{}} />
    </>
  )
}
const isFresh = ({ recent_transports, recent_osl, pending_registrations, pending_titles }: Metrics) =>
  recent_transports.length + recent_osl.length + pending_registrations + pending_titles === 0

const FirstSteps = () => (
  <section className="panel">
    <h2>First steps</h2>
    <ol className="first-steps">
      <li>
        <a href={paths.locations.import}>Add your locations</a>, then{' '}
        <a href={paths.transportCompanies.import}>transport companies</a> and <a href={paths.vendors.import}>vendors</a>
        , from a spreadsheet or by hand.
      </li>
      <li>
        <a href={paths.users.list}>Add the users</a> who will sign in.
      </li>
      <li>
        <a href={paths.files.upload}>Import your records</a>, or enter the first{' '}
        <a href={paths.transports.create}>transport</a>.
      </li>
    </ol>
  </section>
)

/** Allows `cached-page.tsx` to cache this page. The content of the page depends only on its props and the user. */
DashboardPage.isDrawnOnce = true as const

function MetricCard({ label, value, href }: { label: string; value: string; href: string }) {
  return (
    <a className="card card-link" href={href}>
      <h2>{label}</h2>
      <p className="card-figure">{value}</p>
    </a>
  )
}

const QuickAction = ({ href, label }: { href: string; label: string }) => (
  <a className="button" href={href}>
    {label}
  </a>
)

const CostsByMonth = () => (
  <section className="panel with-script">
    <h2>
      <a href={withQuery(paths.reports, { type: 'monthly_costs', period: 'usual' })}>Costs by month</a>
    </h2>
    {/* Load the chart by a separate request. Adding up a year of records would delay the page. */}
    <div className="cost-strip" hx-get={paths.budgets.months} hx-trigger="load" hx-target="this" hx-swap="innerHTML" />
  </section>
)
