import type { ReactNode } from 'react'
import { OSL_STATUSES, TRANSPORT_STATUSES } from '../../db/vocabulary'
import { NONE, showMoney } from '../format'
import { ActiveBadge, OslBadge, StatusBadge, VehicleBadge } from '../ui/badge'
import { ErrorSummary } from '../ui/error-summary'
import { Facts } from '../ui/facts'
import { Check, Input, optionsOf, Select, TextArea } from '../ui/fields'
import { Fold } from '../ui/fold'
import { Form, FormDone } from '../ui/form'
import { PlusIcon } from '../ui/icons'
import { List } from '../ui/list'
import { LongText } from '../ui/long-text'
import { MoneyInput } from '../ui/money-input'
import { MonthsPanel } from '../ui/months-panel'
import { Notes } from '../ui/notes'
import { PageHead } from '../ui/page-head'
import { PeriodToolbar } from '../ui/period-toolbar'
import { PlainTable } from '../ui/plain-table'
import { RecordStrip } from '../ui/record-strip'
import { BulkDate, BulkSelect } from '../ui/selection'
import { Share } from '../ui/share'
import { Tabs } from '../ui/tabs'
import { Toasts } from '../ui/toasts'
import { Track } from '../ui/track'
import { AT, columnsOn, EMPTY, ENTRIES, LONG, MONTHS, QUERY, REFUSED, ROWS, STALE, WARNED } from './samples'

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="panel">
    <h2>{title}</h2>
    {children}
  </section>
)

/** Page for developers with each component in its possible states. */
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
      <PageHead title="Components" lead="Every component in every state">
        <a className="button" href={AT}>
          Secondary action
        </a>
        <a className="button button-primary" href={AT}>
          <PlusIcon /> Primary action
        </a>
      </PageHead>
      <PeriodToolbar path={AT} query={{ start_date: today, end_date: today }} search="Search unit" />
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
            Default
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
      <Part title="Embedded tables">
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
          keepsColumns
          caption="Few columns"
          rows={ROWS}
          empty="Nothing yet"
          columns={[
            { label: 'Unit #', cell: (row) => row.unit_number },
            { label: 'Place', leaves: true, cell: (row) => row.place },
            { label: 'Cost', align: 'right', cell: (row) => (row.sum === null ? NONE : showMoney(row.sum)) },
            { label: 'Share', cell: (row) => <Share value={row.sum ?? 0} max={100_000} /> },
          ]}
        />
        <MonthsPanel
          months={MONTHS}
          caption="Two months"
          href={() => AT}
          amount={({ cost }) => cost}
          columns={[{ label: 'Cost', align: 'right', cell: ({ cost }) => showMoney(cost) }]}
        />
        <PlainTable
          caption="Without rows"
          rows={[]}
          empty="Nothing yet"
          columns={[{ label: 'Unit #', cell: () => '' }]}
        />
      </Part>
      <Part title="A form">
        <Form action={AT} form={EMPTY} submit="Save" cancel={AT} also={{ name: 'next', label: 'Save and continue' }}>
          <Input form={EMPTY} name="plain" label="Text" />
          <Input form={EMPTY} name="needed" label="Required" required hint="With a hint" />
          <Input form={EMPTY} name="day" label="Day" type="date" />
          <MoneyInput form={EMPTY} name="amount" label="Amount ($)" />
          <Select form={EMPTY} name="choice" label="Choice" blank="Choose…" options={optionsOf(TRANSPORT_STATUSES)} />
          <Check form={EMPTY} name="box" label="A box to tick" hint="With a hint" />
          <TextArea form={EMPTY} name="long" label="Longer text" wide />
          <Fold title="Rare fields" form={EMPTY} isOpen={false}>
            <Input form={EMPTY} name="rare" label="Rare text" />
          </Fold>
        </Form>
      </Part>
      <Part title="A form with errors">
        <Form action={AT} form={REFUSED} submit="Save" danger>
          <Input form={REFUSED} name="wrong_text" label="RA number" />
          <Select form={REFUSED} name="wrong_choice" label="Location" required blank="Choose…" options={[]} />
          <MoneyInput form={REFUSED} name="wrong_amount" label="Amount ($)" />
        </Form>
      </Part>
      <Part title="A completed form">
        <FormDone list={AT} another={AT}>
          <p className="banner banner-success">Shown only now</p>
        </FormDone>
      </Part>
      <Part title="A warning and an edit conflict">
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
        <LongText text="Short text, shown in full" />
        <LongText text={`${LONG}. `.repeat(5)} />
      </Part>
      <Part title="Timeline">
        <Track entries={ENTRIES} what={() => <a href={AT}>Registration</a>} />
      </Part>
      <Notes
        hasMore={false}
        page={AT}
        entries={ENTRIES}
        action={AT}
        form={EMPTY}
        noun="Record"
        entity="registrations"
      />
      <Part title="Record header">
        <RecordStrip
          facts={[
            ['Status', <VehicleBadge key="status" status="Out of Service" />],
            ['Place', 'Phoenix'],
            ['Left out', null],
          ]}
          figures={[
            ['Days', '12'],
            ['To pay', '$12,400.00', 'alarm'],
          ]}
        />
        <Facts
          isRuled
          facts={[
            ['RA number', 'RA10021'],
            ['Mileage', '127,043'],
            ['Notes', LONG],
          ]}
        />
      </Part>
      <Part title="Messages">
        <p className="banner banner-success">Success message</p>
        <p className="banner banner-warning">Warning message</p>
        <p className="banner banner-danger">Error message</p>
        <Toasts toast={{ tone: 'danger', text: 'Failed to update status: the server cannot be reached' }} />
      </Part>
    </>
  )
}
