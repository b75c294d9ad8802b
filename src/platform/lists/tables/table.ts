/** Types of the values in a table column. `percent` is from 0 to 100. */
export type ColumnKind = 'text' | 'date' | 'count' | 'money' | 'decimal' | 'percent'

/** A column of a table. `sum` is true if the sum of its values is meaningful. */
export type TableColumn = { key: string; label: string; kind: ColumnKind; sum?: boolean }

export type TableValue = string | number | null
export type TableRow = Record<string, TableValue>
