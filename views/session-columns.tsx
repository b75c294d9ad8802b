import type { ReactNode } from 'react'
import { NONE, showInstant } from './format'
import { Badge } from './ui/badge'
import type { PlainColumn } from './ui/plain-table'

export type SessionRow = {
  key: string
  is_current: boolean
  created_at: Date
  last_seen_at: Date
  address: string | null
  user_agent: string | null
}

/** `end` renders the button that ends a session. The current session has the label `own` instead of this button. */
export const sessionColumns = (
  timeZone: string,
  own: string,
  end: (row: SessionRow) => ReactNode,
): PlainColumn<SessionRow>[] => [
  { label: 'Browser', cell: (row) => browserOf(row.user_agent) },
  { label: 'Address', cell: (row) => row.address ?? NONE },
  { label: 'Signed in', cell: (row) => showInstant(row.created_at, timeZone) },
  { label: 'Last used', cell: (row) => showInstant(row.last_seen_at, timeZone) },
  { label: 'Actions', cell: (row) => (row.is_current ? <Badge tone="success">{own}</Badge> : end(row)) },
]

/**
 * Describes a browser by its user agent, such as `Chrome 120, Windows`. If the user agent names no known browser,
 * returns the first 40 characters of the user agent.
 */
export function browserOf(userAgent: string | null): string {
  if (!userAgent) return 'Unknown'
  const browserMatch = /(Edg|OPR|Firefox|Chrome|Safari)\/(\d+)/.exec(
    userAgent.replace(/Chrome\/\S+ (?=.*(Edg|OPR)\/)/, ''),
  )
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera' }
  const system = /Windows|Macintosh|Android|iPhone|iPad|Linux/.exec(userAgent)?.[0]
  if (!browserMatch) return userAgent.slice(0, 40)
  const browser = `${names[browserMatch[1] ?? ''] ?? browserMatch[1]} ${browserMatch[2]}`
  return system ? `${browser}, ${system === 'Macintosh' ? 'Mac' : system}` : browser
}
