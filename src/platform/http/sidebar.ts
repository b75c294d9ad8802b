import type { SidebarState } from '../../../views/layout'
import type { Config } from '../config'
import { cookie, hostCookieName } from './request'

const SECTION_NAMES = ['Views', 'Admin', 'Transports', 'Out of Service', 'Vehicles']

/**
 * Reads the state of the sidebar from a cookie.
 * A script in the page writes the cookie, for example `hidden|Transports|Vehicles`. `hidden` means that the whole
 * sidebar is hidden. The other values are the closed sections.
 */
export function sidebarState(request: Request, config: Config): Omit<SidebarState, 'views'> {
  const parts = (cookie(request, hostCookieName('yardmaster_sidebar', request, config)) ?? '').split('|')
  return { hidden: parts.includes('hidden'), closed: SECTION_NAMES.filter((name) => parts.includes(name)) }
}
