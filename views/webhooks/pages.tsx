import { webhookEvents } from '../../db/vocabulary'
import type { Meta } from '../../src/platform/http/answers'
import { paths } from '../../src/platform/paths'
import type { Delivery, Webhook } from '../../src/platform/webhooks/queries'
import type { DeliveryFilters, WebhookFilters } from '../../src/platform/webhooks/rules'
import { showInstant } from '../format'
import { Island } from '../island'
import { ActiveBadge, Badge } from '../ui/badge'
import { Full } from '../ui/cells'
import { Check, Input, TextArea } from '../ui/fields'
import { Form, FormDone } from '../ui/form'
import { FormPage } from '../ui/form-page'
import type { FormState } from '../ui/form-state'
import { PlusIcon } from '../ui/icons'
import { List } from '../ui/list'
import type { Column } from '../ui/list-rows'
import { PageHead } from '../ui/page-head'
import { RowActions } from '../ui/row-actions'

const columns: Column<Webhook>[] = [
  {
    label: 'URL',
    sort: 'url',
    part: 'main',
    cell: ({ id, url }) => (
      <a href={paths.webhooks.deliveries(id)} title={url}>
        {url}
      </a>
    ),
  },
  {
    label: 'Events',
    width: 260,
    part: 'place',
    cell: ({ events }) => <Full text={events.includes('*') ? 'All' : events.join(', ')} />,
  },
  { label: 'Status', width: 90, part: 'sum', cell: ({ is_active }) => <ActiveBadge active={is_active} /> },
  {
    label: 'Actions',
    isOnCard: true,
    isActions: true,
    width: 180,
    cell: ({ id, url }) => (
      <RowActions label={url} edit={paths.webhooks.edit(id)} remove={paths.webhooks.remove(id)}>
        <a href={paths.webhooks.rotate(id)} data-modal="" aria-label={`New secret of ${url}`}>
          New secret
        </a>
      </RowActions>
    ),
  },
]

export function WebhooksPage({ rows, query, meta }: { rows: Webhook[]; query: WebhookFilters; meta: Meta }) {
  return (
    <>
      <PageHead title="Webhooks" lead="Addresses of other systems that receive changes as they happen">
        <a className="button button-primary" href={paths.webhooks.create} data-modal="">
          <PlusIcon /> Add webhook
        </a>
      </PageHead>
      <List
        path={paths.webhooks.list}
        query={query}
        meta={meta}
        rows={rows}
        caption="Webhooks"
        search="Search URLs"
        empty={{ title: 'No webhooks yet', hint: <a href={paths.webhooks.create}>Add a webhook</a> }}
        rowClass={({ is_active }) => (is_active ? undefined : 'is-inactive')}
        columns={columns}
      />
      <Island name="modal" id="modal" props={{}} />
    </>
  )
}

export function WebhookForm({ action, form, isNew }: { action: string; form: FormState; isNew: boolean }) {
  return (
    <FormPage title={isNew ? 'Add webhook' : 'Edit webhook'}>
      <Form
        action={action}
        form={form}
        submit={isNew ? 'Add webhook' : 'Save changes'}
        cancel={paths.webhooks.list}
        entity="webhooks"
      >
        <Input
          form={form}
          name="url"
          label="URL"
          required
          autoFocus
          wide
          max={500}
          hint="For example https://erp.example.com/hooks"
        />
        <TextArea
          form={form}
          name="events"
          label="Events"
          required
          wide
          hint="One per line, for example transport.created. * sends all events."
        />
        <details className="wide">
          <summary>All events</summary>
          <p>{webhookEvents().join(', ')}</p>
        </details>
        <Check form={form} name="is_active" label="Active" hint="Inactive webhooks receive nothing" wide />
      </Form>
    </FormPage>
  )
}

export function WebhookQuestion(props: {
  title: string
  action: string
  form: FormState
  submit: string
  url: string
}) {
  const isDeletion = props.submit === 'Delete'
  return (
    <FormPage title={props.title}>
      <p>
        <strong>{props.url}</strong>{' '}
        {isDeletion
          ? 'receives no more changes, and its deliveries are deleted.'
          : 'gets a new signing secret. For 24 hours, deliveries are also signed with the old secret.'}
      </p>
      <Form
        action={props.action}
        form={props.form}
        submit={props.submit}
        cancel={paths.webhooks.list}
        danger={isDeletion}
      />
    </FormPage>
  )
}

export function WebhookSecret({ url, secret }: { url: string; secret: string }) {
  return (
    <FormPage title="Signing secret">
      <FormDone list={paths.webhooks.list}>
        <div className="banner banner-success">
          <p>
            The secret of <strong>{url}</strong> is shown only once. Copy it to the receiver, which needs it to verify
            deliveries.
          </p>
          <p>
            <code className="secret">{secret}</code>
          </p>
        </div>
      </FormDone>
    </FormPage>
  )
}

const TONES = { pending: 'info', delivered: 'success', failed: 'danger' } as const
const LABELS = { pending: 'Pending', delivered: 'Delivered', failed: 'Failed' } as const

const deliveryColumns = (timeZone: string): Column<Delivery>[] => [
  { label: 'Time', sort: 'id', width: 150, part: 'unit', cell: ({ created_at }) => showInstant(created_at, timeZone) },
  { label: 'Event', width: 190, part: 'main', cell: ({ type }) => type },
  { label: 'Record', width: 80, leaves: 'room', align: 'right', cell: ({ record_id }) => record_id },
  {
    label: 'Status',
    width: 100,
    part: 'sum',
    cell: ({ status }) => <Badge tone={TONES[status]}>{LABELS[status]}</Badge>,
  },
  { label: 'Attempts', width: 80, leaves: 'room', align: 'right', cell: ({ attempts }) => attempts },
  {
    label: 'Last response',
    part: 'place',
    cell: ({ last_status, last_error }) => (
      <Full text={last_error ?? (last_status === null ? null : String(last_status))} />
    ),
  },
  {
    label: 'Next attempt',
    width: 150,
    leaves: 'spare',
    cell: ({ next_at, status }) => (status === 'pending' ? showInstant(next_at, timeZone) : ''),
  },
  {
    label: 'Actions',
    isOnCard: true,
    isActions: true,
    width: 90,
    cell: ({ id, webhook_id, type }) => (
      <form method="post" action={paths.webhooks.replay(webhook_id)} className="row-actions">
        <input type="hidden" name="delivery" value={id} />
        <button type="submit" aria-label={`Send ${type} again`}>
          Send again
        </button>
      </form>
    ),
  },
]

type DeliveriesProps = { webhook: Webhook; rows: Delivery[]; query: DeliveryFilters; meta: Meta; timeZone: string }

export function DeliveriesPage({ webhook, rows, query, meta, timeZone }: DeliveriesProps) {
  return (
    <>
      <PageHead title="Webhook deliveries" lead={webhook.url}>
        <a className="button" href={paths.webhooks.list}>
          Back to webhooks
        </a>
        <a className="button button-primary" href={paths.webhooks.edit(webhook.id)} data-modal="">
          Edit webhook
        </a>
      </PageHead>
      {webhook.disabled_note && <p className="banner banner-danger">{webhook.disabled_note}</p>}
      <List
        path={paths.webhooks.deliveries(webhook.id)}
        query={query}
        meta={meta}
        rows={rows}
        caption="Deliveries"
        empty={{ title: 'No deliveries yet', hint: 'Deliveries appear here when one of the webhook’s events occurs.' }}
        columns={deliveryColumns(timeZone)}
      />
      <Island name="modal" id="modal" props={{}} />
    </>
  )
}
