const LOGS = ['pending', 'complete', 'expiring', 'overdue'] as const

/** Tab of the page Vehicle Registrations. `overdue` are the registrations that have expired and are not renewed. */
export type Log = (typeof LOGS)[number]

export const logOf = (tab: unknown): Log => LOGS.find((log) => log === tab) ?? 'pending'

/** Returns the name of the file export that has the same rows as a tab. */
export const exportOf = (log: Log) => `registrations-${log === 'complete' ? 'completed' : log}` as const
