import { paths } from '../../src/paths'
import type { Title as TitleRow } from '../../src/titles/queries'
import { showCount, showDate } from '../format'
import { Island } from '../island'
import { Badge } from '../ui/badge'
import { Facts, Stamps } from '../ui/facts'
import type { FormState } from '../ui/form-state'
import { Notes } from '../ui/notes'
import { PageHead } from '../ui/page-head'
import { TitleActions } from './columns'

type Note = { id: number; note_text: string; created_at: Date; created_by: string | null }
type Props = { title: TitleRow; notes: Note[]; form: FormState; timeZone: string }

export function TitlePage({ title, notes, form, timeZone }: Props) {
  const isPending = title.transferred_date === null
  return (
    <>
      <PageHead
        title={`Title of unit ${title.unit_number}`}
        lead={
          <Badge tone={isPending ? 'warning' : 'success'} shape={isPending ? 'half' : 'check'}>
            {isPending
              ? `Pending for ${showCount(title.days_pending)} days`
              : `Transferred ${showDate(title.transferred_date)}`}
          </Badge>
        }
      >
        <TitleActions row={title} />
      </PageHead>
      <section className="panel">
        <Facts
          facts={[
            [
              'Unit number',
              <a key="unit" href={paths.vehicles.show(title.unit_number)}>
                {title.unit_number}
              </a>,
            ],
            ['Location', title.location_name],
            ['Dealer', title.dealer_name],
            ['Dealer contact', title.dealer_contact],
            ['Submitted', showDate(title.submitted_date)],
            ['Requested on', showDate(title.requested_on)],
            ['Sent on', showDate(title.sent_on)],
            ['In transit on', showDate(title.in_transit_on)],
            ['Received on', showDate(title.received_on)],
            ['Transferred', showDate(title.transferred_date)],
            ['Days pending', showCount(title.days_pending)],
            ['Notes on the title', title.notes],
          ]}
        />
        <Stamps record={title} entity="titles" />
      </section>
      <Notes notes={notes} action={paths.titles.notes(title.id)} form={form} timeZone={timeZone} />
      <Island name="modal" id="modal" props={{}} />
    </>
  )
}
