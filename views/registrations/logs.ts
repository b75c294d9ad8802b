const LOGS = ['pending', 'complete', 'expiring', 'overdue'] as const

/** The tab `overdue` lists registrations that expired and are not renewed. */
export type Log = (typeof LOGS)[number]

export const logOf = (tab: unknown): Log => LOGS.find((log) => log === tab) ?? 'pending'

export const exportOf = (log: Log) => `registrations-${log === 'complete' ? 'completed' : log}` as const
