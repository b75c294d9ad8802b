import type { SidebarState } from '../../../views/layout'
import type { Config } from '../config'
import { cookie, hostCookieName } from './request'

const SECTION_NAMES = ['Views', 'Admin', 'Transports', 'Out of Service', 'Vehicles']

/**
 * Reads the sidebar state from a cookie. The page script writes `hidden` if the sidebar is hidden, then the closed
 * sections: `hidden|Section|Section`.
 */
export function sidebarState(request: Request, config: Config): Omit<SidebarState, 'views'> {
  const parts = (cookie(request, hostCookieName('yardmaster_sidebar', request, config)) ?? '').split('|')
  return { hidden: parts.includes('hidden'), closed: SECTION_NAMES.filter((name) => parts.includes(name)) }
}
