const LOGS = ['pending', 'complete', 'expiring', 'overdue'] as const

/** Tab of the page Vehicle Registrations. The tab `overdue` lists registrations that expired and are not renewed. */
export type Log = (typeof LOGS)[number]

export const logOf = (tab: unknown): Log => LOGS.find((log) => log === tab) ?? 'pending'

/** Returns the name of the CSV or workbook export that contains the rows of the tab `log`. */
export const exportOf = (log: Log) => `registrations-${log === 'complete' ? 'completed' : log}` as const
