import { type ReactNode, useContext } from 'react'
import type { Role } from '../db/vocabulary'
import { PRODUCT } from '../db/vocabulary'
import { DUE, type LinkTo, SECTIONS, TOP_LINKS } from '../src/platform/navigation'
import { paths } from '../src/platform/paths'
import { showInstant } from './format'
import { ChevronIcon, Mark, MenuIcon, SearchIcon } from './ui/icons'
import { Loading } from './ui/loading'
import { TimeZone } from './ui/time-zone'
import { type Toast, Toasts } from './ui/toasts'
import { Today } from './ui/today'

type CurrentUser = {
  username: string
  role: Role
  first_name: string | null
  last_name: string | null
  must_change_password: boolean
  password_expires_at: Date | null
}

type SidebarView = { id: number; name: string; url: string; isCurrent: boolean }

/** State of the sidebar. A cookie stores whether it is hidden and which sections are collapsed. */
export type SidebarState = { hidden: boolean; closed: string[]; views: SidebarView[] }

type Props = {
  title: string
  version: string
  user: CurrentUser
  path: string
  toast: Toast | null
  sidebar: SidebarState
  children: ReactNode
}

export function Layout({ version, user, path, toast, sidebar, children }: Props) {
  return (
    <div className="frame" data-account={user.username} data-today={useContext(Today)}>
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
      <input type="checkbox" id="menu-toggle" className="menu-toggle" aria-label="Menu" autoComplete="off" />
      <header className="header">
        <label className="icon-button" htmlFor="sidebar-toggle" title="Toggle sidebar">
          <MenuIcon />
        </label>
        <label className="icon-button" htmlFor="menu-toggle" title="Menu">
          <MenuIcon />
        </label>
        <a className="brand" href={paths.dashboard}>
          <Mark />
          <span>{PRODUCT.name}</span>
        </a>
        <HeaderSearch />
        <span className="header-news" id="news" role="status" />
        <UserMenu user={user} version={version} />
      </header>
      <Sidebar path={path} isAdmin={user.role === 'admin'} {...sidebar} />
      <main className="content" id="content" tabIndex={-1}>
        <p className="print-head" aria-hidden="true">
          {PRODUCT.name}, {PRODUCT.subtitle}
        </p>
        {user.password_expires_at && !user.must_change_password && (
          <TemporaryPassword until={user.password_expires_at} />
        )}
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

/** Page after a sign-out that could not reach the server. */
export function SignedOutHere() {
  return (
    <main className="notice-page">
      <h1>You are signed out on this computer</h1>
      <p>The server cannot be reached. Your session ends when this browser connects again.</p>
      <a className="button" href={paths.login}>
        Go to the login page
      </a>
    </main>
  )
}

const HeaderSearch = () => (
  <form
    className="header-search"
    method="get"
    action={paths.search}
    role="search"
    autoComplete="off"
    data-header-search=""
  >
    <SearchIcon />
    <input
      type="search"
      name="find"
      id="header-search"
      maxLength={100}
      placeholder="Unit, VIN, plate, RA, PO or page"
      aria-label="Search everywhere"
    />
  </form>
)

function TemporaryPassword({ until }: { until: Date }) {
  return (
    <p className="banner banner-warning">
      Your password is temporary and works until {showInstant(until, useContext(TimeZone))}.{' '}
      <a href={paths.profilePassword}>Choose a new password</a>
    </p>
  )
}

function UserMenu({ user, version }: Pick<Props, 'user' | 'version'>) {
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
        <p className="menu-version">Version {version}</p>
      </div>
    </details>
  )
}

function Sidebar({ path, isAdmin, closed, views }: { path: string; isAdmin: boolean } & SidebarState) {
  return (
    <nav className="sidebar" aria-label="Main">
      <SideLink href={paths.dashboard} label="Dashboard" path={path} />
      <SideLink {...DUE} path={path}>
        <span className="side-count" data-due-count="" />
      </SideLink>
      {views.length > 0 && (
        <SideSection name="Views" isOpen={!closed.includes('Views')}>
          <div className="side-views">
            {views.map(({ id, name, url, isCurrent }) => (
              <a
                key={id}
                href={url}
                className="side-link side-view"
                title={name}
                aria-current={isCurrent ? 'page' : undefined}
              >
                <span>{name}</span>
                <span className="side-count" data-view={id} />
              </a>
            ))}
          </div>
          <SideLink href={paths.views.list} label="All views" path={path} />
        </SideSection>
      )}
      {SECTIONS.filter((section) => isAdmin || !section.adminOnly).map((section) => (
        <SideSection key={section.name} name={section.name} isOpen={!closed.includes(section.name)}>
          {section.links.map((link) => (
            <SideLink key={link.href} {...link} path={path} />
          ))}
        </SideSection>
      ))}
      {TOP_LINKS.map((link) => (
        <SideLink key={link.href} {...link} path={path} />
      ))}
    </nav>
  )
}

const SideSection = ({ name, isOpen, children }: { name: string; isOpen: boolean; children: ReactNode }) => (
  <details className="side-section" data-section={name} open={isOpen}>
    <summary>
      {name}
      <ChevronIcon />
    </summary>
    {children}
  </details>
)

/**
 * Further paths for which a link of the sidebar is marked. For example, the page `/transports/7` belongs to the link
 * `/transports/active`, although the path of the page does not begin with the path of the link.
 */
const WITHIN: Record<string, RegExp> = {
  [paths.files.upload]: /^\/files\//,
  [paths.transports.active]: /^\/transports\/\d/,
  [paths.osl.active]: /^\/osl\/\d/,
  [paths.vehicles.lookup]: /^\/vehicles\/(?:\d|many|new)/,
}

const isWithin = (path: string, href: string) =>
  path === href || path.startsWith(`${href}/`) || (WITHIN[href]?.test(path) ?? false)

const SideLink = ({ href, label, path, children }: LinkTo & { path: string; children?: ReactNode }) => (
  <a
    href={href}
    className={children ? 'side-link side-counted' : 'side-link'}
    aria-current={isWithin(path, href) ? 'page' : undefined}
  >
    {children ? <span>{label}</span> : label}
    {children}
  </a>
)
