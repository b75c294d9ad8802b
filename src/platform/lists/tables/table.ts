/** Types of column values; `percent` is from 0 to 100. */
export type ColumnKind = 'text' | 'date' | 'count' | 'money' | 'decimal' | 'percent'

/** A column; `sum` is true if its total is meaningful. */
export type TableColumn = { key: string; label: string; kind: ColumnKind; sum?: boolean }

export type TableValue = string | number | null
export type TableRow = Record<string, TableValue>
