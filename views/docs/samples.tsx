import type { TimelineEntry } from '../../src/platform/audit/timeline'
import { paths } from '../../src/platform/paths'
import { showMoney } from '../format'
import { StatusBadge } from '../ui/badge'
import { Code, Full, Route } from '../ui/cells'
import type { FormState } from '../ui/form-state'
import type { Column } from '../ui/list-rows'
import { actionsWidth, RowActions } from '../ui/row-actions'
import { pickColumn } from '../ui/selection'
import { Day, DueIn, lengthOf } from '../ui/today'

export const AT = paths.components
const MS_PER_DAY = 86_400_000
const addDays = (day: string, days: number) => new Date(Date.parse(day) + days * MS_PER_DAY).toISOString().slice(0, 10)

export const ENTRIES: TimelineEntry[] = [
  { kind: 'note', text: 'The yard called about the keys', by: 'ben', changes: [] },
  { kind: 'update', text: '', by: 'ada', changes: [{ field: 'final cost', old: null, new: '1250.5' }] },
  { kind: 'create', text: '', by: null, changes: [{ field: 'plate number', old: null, new: 'ABC123' }] },
].map((entry, at) => ({ ...entry, at: new Date(Date.UTC(2026, 10, 23 - at)), entity: 'registrations', id: 1 }))

export const EMPTY: FormState = { values: {} }
export const REFUSED: FormState = {
  values: { wrong_text: 'RA123456789', wrong_choice: '', wrong_amount: '12,5' },
  refusal: {
    message: 'Please check these fields',
    errors: [
      { field: 'wrong_text', message: 'Must be at most 8 characters' },
      { field: 'wrong_choice', message: 'Location is required' },
      { field: 'wrong_amount', message: 'Must be an amount, for example 1250.50' },
    ],
  },
}
export const WARNED: FormState = {
  values: {},
  refusal: {
    message: 'Please review these warnings before you save',
    warnings: [{ field: 'plain', message: 'Unit 100200 already has an active transport: Phoenix → Tempe' }],
    warningKeys: 'open_transport',
  },
}
export const STALE: FormState = {
  values: {},
  refusal: { message: 'This record has changed since you opened it' },
  changedSince: {
    by: 'ben',
    conflicts: [
      { field: 'ra_number', label: 'ra number', typed: 'RA11111', stored: 'RA22222', storedValue: 'RA22222' },
      { field: 'mileage', label: 'mileage', typed: '45000', stored: '45100', storedValue: '45100' },
    ],
    otherChanges: [{ label: 'status', stored: 'In Transit' }],
  },
}

type Row = { id: number; unit_number: string; status: string; place: string; days: number; sum: number | null }
export const LONG = 'North Scottsdale Overflow Storage and Reconditioning Yard 12'
export const ROWS: Row[] = [
  { id: 1, unit_number: '100200', status: 'In Transit', place: 'Tempe', days: -12, sum: 241.06 },
  { id: 2, unit_number: '100201', status: 'Vehicle Not Ready', place: LONG, days: -1, sum: 123_456.78 },
  { id: 3, unit_number: '100202', status: 'Awaiting Pickup', place: 'Mesa', days: 0, sum: null },
  { id: 4, unit_number: '100203', status: 'Delivered', place: 'Mesa', days: 3, sum: 90 },
]

export const MONTHS = [
  { start_date: '2026-10-01', end_date: '2026-10-31', cost: 123_456.78 },
  { start_date: '2026-09-01', end_date: '2026-09-30', cost: 0 },
]

export const columnsOn = (today: string): Column<Row>[] => [
  pickColumn(),
  { label: 'Unit #', sort: 'unit_number', width: 70, part: 'unit', cell: (row) => <a href={AT}>{row.unit_number}</a> },
  { label: 'Status', width: 160, part: 'state', cell: (row) => <StatusBadge status={row.status} /> },
  {
    label: 'Route',
    part: 'main',
    cell: ({ place }) => (
      <Route
        row={{
          location_out_name: 'Phoenix',
          location_out_code: 'PHX',
          location_in_name: place,
          location_in_code: place.slice(0, 3).toUpperCase(),
        }}
      />
    ),
  },
  { label: 'Place', width: 140, leaves: 'spare', cell: ({ place }) => <Full text={place} /> },
  { label: 'Day', width: 70, leaves: 'room', cell: ({ days }) => <Day date={addDays(today, days)} /> },
  {
    label: 'Due',
    width: 94,
    part: 'due',
    tone: ({ days }) => (days < 0 ? lengthOf(-days, 14, 'danger') : undefined),
    cell: ({ days }) => <DueIn date={addDays(today, days)} today={today} />,
  },
  { label: 'Code', width: 80, leaves: 'room', cell: () => <Code text="RA57644" /> },
  { label: 'Cost', align: 'right', width: 100, part: 'sum', cell: ({ sum }) => showMoney(sum) },
  {
    label: 'Actions',
    isActions: true,
    width: actionsWidth(2),
    cell: (row) => <RowActions label={row.unit_number} edit={AT} remove={AT} />,
  },
]

export const QUERY = { page: 1, per_page: 50, q: null, sort: 'unit_number', order: 'asc' as const }
