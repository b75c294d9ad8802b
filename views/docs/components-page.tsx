import type { ReactNode } from 'react'
import { OSL_STATUSES, TRANSPORT_STATUSES } from '../../db/vocabulary'
import { paths } from '../../src/paths'
import { NONE, showMoney } from '../format'
import { ActiveBadge, OslBadge, StatusBadge } from '../ui/badge'
import { Code, Full, Route } from '../ui/cells'
import { Facts } from '../ui/facts'
import { Check, type FormState, Input, MoneyInput, optionsOf, Select, TextArea } from '../ui/fields'
import { ErrorSummary, Form } from '../ui/form'
import { PlusIcon } from '../ui/icons'
import { List } from '../ui/list'
import type { Column } from '../ui/list-rows'
import { LongText } from '../ui/long-text'
import { Notes } from '../ui/notes'
import { PageHead } from '../ui/page-head'
import { PlainTable } from '../ui/plain-table'
import { RowActions } from '../ui/row-actions'
import { BulkDate, BulkSelect, pickColumn } from '../ui/selection'
import { Tabs } from '../ui/tabs'
import { Toasts } from '../ui/toasts'
import { Day, DueIn, lengthOf } from '../ui/today'

const AT = paths.components
const MS_PER_DAY = 86_400_000
const addDays = (day: string, days: number) => new Date(Date.parse(day) + days * MS_PER_DAY).toISOString().slice(0, 10)

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="panel">
    <h2>{title}</h2>
    {children}
  </section>
)

const EMPTY: FormState = { values: {} }
const REFUSED: FormState = {
  values: { wrong_text: 'RA123456789', wrong_choice: '', wrong_amount: '12,5' },
  refusal: {
    message: 'Please check these fields',
    errors: [
      { field: 'wrong_text', message: 'Must be at most 8 characters' },
      { field: 'wrong_choice', message: 'Location is required' },
      { field: 'wrong_amount', message: 'Must be an amount such as 1250.50' },
    ],
  },
}
const WARNED: FormState = {
  values: {},
  refusal: {
    message: 'Please look at this before it is saved',
    warnings: [{ field: 'plain', message: 'Unit 100200 is on another open transport since 11/20/2026' }],
    seen: 'open_transport',
  },
}
const STALE: FormState = {
  values: {},
  refusal: { message: 'Someone else changed this record since you opened it' },
  changedSince: {
    by: 'ben',
    conflicts: [
      { field: 'ra_number', label: 'ra number', typed: 'RA11111', stored: 'RA22222', storedValue: 'RA22222' },
      { field: 'mileage', label: 'mileage', typed: '45000', stored: '45100', storedValue: '45100' },
    ],
    kept: [{ label: 'status', stored: 'In Transit' }],
  },
}

type Row = { id: number; unit_number: string; status: string; place: string; days: number; sum: number | null }
const LONG = 'North Scottsdale Overflow Storage and Reconditioning Yard 12'
const ROWS: Row[] = [
  { id: 1, unit_number: '100200', status: 'In Transit', place: 'Tempe', days: -12, sum: 241.06 },
  { id: 2, unit_number: '100201', status: 'Vehicle Not Ready', place: LONG, days: -1, sum: 123_456.78 },
  { id: 3, unit_number: '100202', status: 'Awaiting Pickup', place: 'Mesa', days: 0, sum: null },
  { id: 4, unit_number: '100203', status: 'Delivered', place: 'Mesa', days: 3, sum: 90 },
]

const columnsOn = (today: string): Column<Row>[] => [
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
    width: 90,
    part: 'due',
    tone: ({ days }) => (days < 0 ? lengthOf(-days, 14, 'danger') : undefined),
    cell: ({ days }) => <DueIn date={addDays(today, days)} today={today} />,
  },
  { label: 'Code', width: 80, leaves: 'room', cell: () => <Code text="RA57644" /> },
  { label: 'Cost', align: 'right', width: 100, part: 'sum', cell: ({ sum }) => showMoney(sum) },
  {
    label: 'Actions',
    isActions: true,
    width: 92,
    cell: (row) => <RowActions of={`unit ${row.unit_number}`} edit={AT} remove={AT} />,
  },
]

const QUERY = { page: 1, per_page: 50, q: null, sort: 'unit_number', order: 'asc' as const }

/** Every part of the pages in every state that it has. */
export function ComponentsPage({ today }: { today: string }) {
  const list = {
    path: AT,
    query: QUERY,
    columns: columnsOn(today),
    caption: 'Sample rows',
    search: 'Search unit',
    filters: [{ name: 'status', label: 'Status', any: 'All statuses', options: optionsOf(TRANSPORT_STATUSES) }],
    empty: { title: 'Nothing here yet', hint: <a href={AT}>Enter something</a> },
  }
  return (
    <>
      <PageHead title="Components" lead="Every part in every state">
        <a className="button" href={AT}>
          Another thing to do
        </a>
        <a className="button button-primary" href={AT}>
          <PlusIcon /> The first thing to do
        </a>
      </PageHead>
      <Tabs
        label="Tabs"
        tabs={[
          { href: AT, label: 'Pending (12)', isCurrent: true },
          { href: AT, label: 'Complete (3)', isCurrent: false },
        ]}
      />
      <Part title="Statuses">
        <p className="actions-list">
          {TRANSPORT_STATUSES.map((status) => (
            <StatusBadge key={status} status={status} />
          ))}
        </p>
        <p className="actions-list">
          {OSL_STATUSES.map((status) => (
            <OslBadge key={status} status={status} />
          ))}
          <ActiveBadge active />
          <ActiveBadge active={false} />
        </p>
      </Part>
      <Part title="Buttons">
        <p className="actions-list">
          <button type="button" className="button button-primary">
            Primary
          </button>
          <button type="button" className="button">
            Usual
          </button>
          <button type="button" className="button button-quiet">
            Quiet
          </button>
          <button type="button" className="button button-danger">
            Danger
          </button>
          <button type="button" className="button" disabled>
            Saving...
          </button>
        </p>
      </Part>
      <Part title="A list">
        <List
          {...list}
          rows={ROWS}
          meta={{ page: 1, per_page: 50, total: 1234, pages: 25 }}
          rowClass={({ days, status }) => (days < 0 && status !== 'Delivered' ? 'is-late-row' : undefined)}
          selection={{
            kind: 'transports',
            list: 'active',
            fields: (
              <>
                <BulkSelect name="status" label="Status" options={TRANSPORT_STATUSES} />
                <BulkDate name="actual_arrival_date" label="Arrived" />
              </>
            ),
          }}
        />
      </Part>
      <Part title="Tables without a page of their own">
        <PlainTable
          caption="With rows"
          rows={ROWS}
          empty="Nothing yet"
          columns={[
            { label: 'Unit #', cell: (row) => row.unit_number },
            { label: 'Cost', align: 'right', cell: (row) => (row.sum === null ? NONE : showMoney(row.sum)) },
          ]}
        />
        <PlainTable
          caption="Without rows"
          rows={[]}
          empty="Nothing yet"
          columns={[{ label: 'Unit #', cell: () => '' }]}
        />
      </Part>
      <Part title="A form">
        <Form
          action={AT}
          form={EMPTY}
          submit="Save"
          cancel={AT}
          also={{ name: 'next', value: '1', label: 'Save and go on' }}
        >
          <Input form={EMPTY} name="plain" label="Text" />
          <Input form={EMPTY} name="needed" label="Needed" required hint="With a hint" />
          <Input form={EMPTY} name="day" label="Day" type="date" />
          <MoneyInput form={EMPTY} name="amount" label="Amount ($)" />
          <Select form={EMPTY} name="choice" label="Choice" blank="Choose…" options={optionsOf(TRANSPORT_STATUSES)} />
          <Check form={EMPTY} name="box" label="A box to tick" hint="And what it does" />
          <TextArea form={EMPTY} name="long" label="Longer text" wide />
        </Form>
      </Part>
      <Part title="A form that was refused">
        <Form action={AT} form={REFUSED} submit="Save" danger>
          <Input form={REFUSED} name="wrong_text" label="RA number" />
          <Select form={REFUSED} name="wrong_choice" label="Location" required blank="Choose…" options={[]} />
          <MoneyInput form={REFUSED} name="wrong_amount" label="Amount ($)" />
        </Form>
      </Part>
      <Part title="A warning, and a record that somebody else changed">
        <ErrorSummary form={WARNED} />
        <ErrorSummary form={STALE} />
      </Part>
      <Part title="Facts">
        <Facts
          facts={[
            ['Unit', '100200'],
            ['Location', LONG],
            ['Storage fees', showMoney(123_456.78)],
            ['Left out', null],
          ]}
        />
      </Part>
      <Part title="Long text in a cell">
        <LongText text="Short enough to stand as it is" />
        <LongText text={`${LONG}. `.repeat(5)} />
      </Part>
      <Notes notes={[]} action={AT} form={EMPTY} timeZone="America/Phoenix" />
      <Part title="Messages">
        <p className="banner banner-success">What went well</p>
        <p className="banner banner-warning">What to look at</p>
        <p className="banner banner-danger">What went wrong</p>
        <Toasts toast={{ tone: 'danger', text: 'Failed to update status: the server cannot be reached' }} />
      </Part>
    </>
  )
}
