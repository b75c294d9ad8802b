import type { ReactNode } from 'react'
import type { Role } from '../db/vocabulary'
import { PRODUCT } from '../db/vocabulary'
import { paths } from '../src/paths'
import { ChevronIcon, Mark, MenuIcon } from './ui/icons'
import { Loading } from './ui/loading'
import { type Toast, Toasts } from './ui/toasts'

type CurrentUser = { username: string; role: Role; first_name: string | null; last_name: string | null }

/** How this browser left the sidebar; kept in a cookie so that the page arrives as it was left. */
export type SidebarState = { hidden: boolean; closed: string[] }

type Props = {
  title: string
  user: CurrentUser
  path: string
  toast: Toast | null
  sidebar: SidebarState
  children: ReactNode
}

export function Layout({ user, path, toast, sidebar, children }: Props) {
  return (
    <div className="house" data-account={user.username}>
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <input
        type="checkbox"
        id="sidebar-toggle"
        className="sidebar-toggle"
        aria-label="Toggle sidebar"
        defaultChecked={sidebar.hidden}
      />
      <header className="header">
        <label className="icon-button" htmlFor="sidebar-toggle" title="Toggle sidebar">
          <MenuIcon />
        </label>
        <a className="brand" href={paths.dashboard}>
          <Mark />
          <span>{PRODUCT.name}</span>
        </a>
        <UserMenu user={user} />
      </header>
      <Sidebar path={path} isAdmin={user.role === 'admin'} closed={sidebar.closed} />
      <main className="content" id="content" tabIndex={-1}>
        <p className="print-head" aria-hidden="true">
          {PRODUCT.name}, {PRODUCT.subtitle}
        </p>
        {children}
      </main>
      <Toasts toast={toast} />
      <template id="signed-out-here">
        <SignedOutHere />
      </template>
      <Loading />
    </div>
  )
}

/** What a browser shows that signed out while the server was away. */
export function SignedOutHere() {
  return (
    <main className="notice-page">
      <h1>You are signed out on this computer</h1>
      <p>The server could not be reached, so it ends your session with the next page that reaches it.</p>
      <a className="button" href={paths.login}>
        Go to the login page
      </a>
    </main>
  )
}

function UserMenu({ user }: { user: CurrentUser }) {
  const shortName = user.first_name || user.username
  const fullName = user.first_name && user.last_name ? `${user.first_name} ${user.last_name}` : user.username
  return (
    <details className="menu" data-menu="">
      <summary>
        <span className="avatar" aria-hidden="true">
          {shortName.charAt(0).toUpperCase()}
        </span>
        <span className="menu-name">{shortName}</span>
        <ChevronIcon />
      </summary>
      <div className="menu-panel">
        <p className="menu-who">
          <strong>{fullName}</strong>
          <span>{user.role === 'admin' ? 'Administrator' : 'User'}</span>
        </p>
        <a href={paths.profile}>Profile</a>
        <form method="post" action={paths.logout} data-logout="">
          <button type="submit">Logout</button>
        </form>
      </div>
    </details>
  )
}

type LinkTo = { href: string; label: string }

const SECTIONS: { name: string; adminOnly?: boolean; links: LinkTo[] }[] = [
  {
    name: 'Admin',
    adminOnly: true,
    links: [
      { href: paths.locations.list, label: 'Manage Locations' },
      { href: paths.transportCompanies.list, label: 'Transport Companies' },
      { href: paths.vendors.list, label: 'Manage Vendors' },
      { href: paths.users.list, label: 'Manage Users' },
      { href: paths.audit, label: 'Audit Trail' },
    ],
  },
  {
    name: 'Transports',
    links: [
      { href: paths.transports.active, label: 'Active Transports' },
      { href: paths.transports.create, label: 'New Transport' },
      { href: paths.transports.completed, label: 'Completed Report' },
    ],
  },
  {
    name: 'Out of Service',
    links: [
      { href: paths.osl.active, label: 'Active OSL' },
      { href: paths.osl.create, label: 'New OSL Entry' },
      { href: paths.osl.completed, label: 'Completed Logs' },
    ],
  },
  {
    name: 'Vehicles',
    links: [
      { href: paths.vehicles.lookup, label: 'Vehicle Lookup' },
      { href: paths.registrations.list, label: 'Registrations' },
    ],
  },
]

const TOP_LINKS: LinkTo[] = [
  { href: paths.titles.list, label: 'Title Tracking' },
  { href: paths.files.upload, label: 'File Upload' },
  { href: paths.reports, label: 'Reports' },
]

function Sidebar({ path, isAdmin, closed }: { path: string; isAdmin: boolean; closed: string[] }) {
  return (
    <nav className="sidebar" aria-label="Main">
      <SideLink href={paths.dashboard} label="Dashboard" path={path} />
      {SECTIONS.filter((section) => isAdmin || !section.adminOnly).map((section) => (
        <details
          key={section.name}
          className="side-section"
          data-section={section.name}
          open={!closed.includes(section.name)}
        >
          <summary>
            {section.name}
            <ChevronIcon />
          </summary>
          {section.links.map((link) => (
            <SideLink key={link.href} {...link} path={path} />
          ))}
        </details>
      ))}
      {TOP_LINKS.map((link) => (
        <SideLink key={link.href} {...link} path={path} />
      ))}
    </nav>
  )
}

/** A record's page belongs to its list, and an import's to File Upload. */
const isWithin = (path: string, href: string) =>
  path === href || path.startsWith(`${href}/`) || (href === paths.files.upload && path.startsWith('/files/'))

function SideLink({ href, label, path }: LinkTo & { path: string }) {
  return (
    <a href={href} className="side-link" aria-current={isWithin(path, href) ? 'page' : undefined}>
      {label}
    </a>
  )
}
