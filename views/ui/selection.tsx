import { type ReactNode, useContext } from 'react'
import { paths } from '../../src/platform/paths'
import { showCount } from '../format'
import type { Column } from './list-rows'
import { Today } from './today'

/**
 * Bulk edit of a list.
 * `kind` is the record kind in the URL, such as `transports`. `list` is the open list or tab, such as `active`.
 * `fields` are the inputs for the values to set.
 */
export type Selection = {
  kind: string
  list: string
  fields: ReactNode
  /** Actions for the ticked rows besides the bulk edit. */
  also?: { action: string; label: string }[]
}

const FORM = 'selection'

/** The checkboxes belong to the form of the bulk edit bar. */
export function pickColumn<Row extends { id: number; unit_number: string }>(): Column<Row> {
  return {
    label: 'Select',
    isPick: true,
    width: 34,
    cell: (row) => (
      <input type="checkbox" form={FORM} name="ids" value={row.id} aria-label={`Select unit ${row.unit_number}`} />
    ),
  }
}

type Props = Selection & { query: Record<string, unknown>; total: number }

/**
 * Form that changes all ticked rows of a list (bulk edit bar).
 * With scripts, it appears when the user ticks a row. Without scripts, it is always visible.
 */
export function SelectionBar({ kind, list, fields, also = [], query, total }: Props) {
  const { page: _, per_page: __, tab: ___, ...filters } = query
  return (
    <form id={FORM} className="selection-bar" method="post" action={paths.bulk.change(kind)} data-selection="">
      <input type="hidden" name="filters" value={JSON.stringify({ ...filters, list })} />
      <strong data-selected="" className="with-script">
        0 selected
      </strong>
      <button type="reset" className="link with-script" data-clear-selection="">
        Clear
      </button>
      <label className="selection-all">
        <input type="checkbox" name="all" value="1" />
        <span id="selection-total">
          All {showCount(total)} in this list
          <input type="hidden" name="expected" value={total} />
        </span>
      </label>
      {fields}
      <label className="filter">
        <span>Note</span>
        <input name="note" maxLength={5000} />
      </label>
      <button type="submit" className="button button-primary" data-change="">
        Change
      </button>
      {also.map(({ action, label }) => (
        <button key={action} type="submit" className="button" formAction={action}>
          {label}
        </button>
      ))}
    </form>
  )
}

export const BulkSelect = ({ name, label, options }: { name: string; label: string; options: readonly string[] }) => (
  <label className="filter">
    <span>{label}</span>
    <select name={name}>
      <option value="">as it is</option>
      {options.map((option) => (
        <option key={option}>{option}</option>
      ))}
    </select>
  </label>
)

type BulkDateProps = {
  name: string
  label: string
  /** True if the date cannot be in the future. */
  isPast?: boolean
  /** Option to select when the user enters a date, as in `status=Delivered`. */
  ticks?: string
}

export function BulkDate({ name, label, isPast, ticks }: BulkDateProps) {
  const today = useContext(Today)
  return (
    <label className="filter">
      <span>{label}</span>
      <input type="date" name={name} max={isPast ? today : undefined} data-ticks={ticks} />
    </label>
  )
}

export const BulkChoice = ({ name, label, yes, no }: { name: string; label: string; yes: string; no: string }) => (
  <label className="filter">
    <span>{label}</span>
    <select name={name}>
      <option value="">as they are</option>
      <option value="true">{yes}</option>
      <option value="false">{no}</option>
    </select>
  </label>
)
