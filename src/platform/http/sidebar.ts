import type { SidebarState } from '../../../views/layout'
import type { Config } from '../config'
import { cookie, hostCookieName } from './request'

const SECTION_NAMES = ['Views', 'Admin', 'Transports', 'Out of Service', 'Vehicles']

/** How the browser left the sidebar: its script writes `hidden|Section|Section` into a cookie of its own. */
export function sidebarState(request: Request, config: Config): Omit<SidebarState, 'views'> {
  const parts = (cookie(request, hostCookieName('yardmaster_sidebar', request, config)) ?? '').split('|')
  return { hidden: parts.includes('hidden'), closed: SECTION_NAMES.filter((name) => parts.includes(name)) }
}
