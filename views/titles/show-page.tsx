import type { Title as TitleRow } from '../../src/features/titles/queries'
import type { TimelineEntry } from '../../src/platform/audit/timeline'
import { paths } from '../../src/platform/paths'
import { showCount, showDate, showDays } from '../format'
import { Island } from '../island'
import { Badge } from '../ui/badge'
import { Facts, Stamps } from '../ui/facts'
import type { FormState } from '../ui/form-state'
import { Notes } from '../ui/notes'
import { PageHead } from '../ui/page-head'
import { RecordStrip } from '../ui/record-strip'
import { TransferButton, transferPath } from './columns'

type Props = {
  title: TitleRow
  timeline: TimelineEntry[]
  form: FormState
  hasMoreNotes: boolean
  /** Number of days after which a pending title is highlighted as urgent. */
  dangerDays: number
}

export function TitlePage({ title, timeline, form, hasMoreNotes, dangerDays }: Props) {
  const isPending = title.transferred_date === null
  return (
    <>
      <PageHead
        hasManyActions
        title={`Title of unit ${title.unit_number}`}
        lead={
          <Badge tone={isPending ? 'warning' : 'success'} shape={isPending ? 'half' : 'check'}>
            {isPending
              ? `Pending for ${showDays(title.days_pending)}`
              : `Transferred ${showDate(title.transferred_date)}`}
          </Badge>
        }
      >
        <a className="button" href={paths.vehicles.show(title.unit_number)}>
          Vehicle
        </a>
        <a className="button" href={paths.titles.remove(title.id)} data-modal="">
          Delete
        </a>
        <a className={isPending ? 'button' : 'button button-primary'} href={paths.titles.edit(title.id)} data-modal="">
          Edit
        </a>
        {isPending && (
          <a className="button" href={paths.titles.chase(title.id)} data-modal="">
            Follow up
          </a>
        )}
        <form method="post" action={transferPath(title)}>
          <TransferButton row={title} className={isPending ? 'button button-primary' : 'button'} />
        </form>
      </PageHead>
      <RecordStrip
        facts={[
          ['Location', title.location_name],
          ['Submitted', showDate(title.submitted_date)],
          ['Transferred', showDate(title.transferred_date)],
        ]}
        figures={[
          [
            'Days pending',
            showCount(title.days_pending),
            isPending && title.days_pending > dangerDays ? 'alarm' : undefined,
          ],
        ]}
      />
      <div className="record-columns">
        <section className="panel">
          <h2>Details</h2>
          <Facts
            isRuled
            facts={[
              ['Dealer', title.dealer_name],
              ['Dealer contact', title.dealer_contact],
              ['Requested on', showDate(title.requested_on)],
              ['Sent on', showDate(title.sent_on)],
              ['In transit on', showDate(title.in_transit_on)],
              ['Received on', showDate(title.received_on)],
              ['Contacted on', showDate(title.last_chased_on)],
              ['Follow up on', showDate(title.next_chase_on)],
              ['Notes on the title', title.notes],
            ]}
          />
          <Stamps record={title} entity="titles" />
        </section>
        <Notes
          entries={timeline}
          hasMore={hasMoreNotes}
          page={paths.titles.show(title.id)}
          action={paths.titles.notes(title.id)}
          form={form}
          noun="Title"
          entity="titles"
        />
      </div>
      <Island name="modal" id="modal" props={{}} />
    </>
  )
}
