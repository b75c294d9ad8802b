import type { SidebarState } from '../../../views/layout'
import type { Config } from '../config'
import { cookie, hostCookieName } from './request'

const SECTION_NAMES = ['Views', 'Admin', 'Transports', 'Out of Service', 'Vehicles']

/**
 * Reads from a cookie which parts of the sidebar the user has closed.
 * A script in the page writes the cookie, for example `hidden|Section|Section`. The part `hidden` means that the whole
 * sidebar is hidden. The other parts are the names of the closed sections.
 */
export function sidebarState(request: Request, config: Config): Omit<SidebarState, 'views'> {
  const parts = (cookie(request, hostCookieName('yardmaster_sidebar', request, config)) ?? '').split('|')
  return { hidden: parts.includes('hidden'), closed: SECTION_NAMES.filter((name) => parts.includes(name)) }
}
