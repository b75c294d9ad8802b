/** How a column's values are read: `percent` is from 0 to 100. */
export type ColumnKind = 'text' | 'date' | 'count' | 'money' | 'decimal' | 'percent'

/** A column; `sum` says that its total means something. */
export type TableColumn = { key: string; label: string; kind: ColumnKind; sum?: boolean }

export type TableValue = string | number | null
export type TableRow = Record<string, TableValue>
