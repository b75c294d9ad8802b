import { OSL_STATUSES } from '../../db/vocabulary'
import type { Fees } from '../../src/features/osl/fees'
import type { OslEntry as OslRow } from '../../src/features/osl/queries'
import type { OslRate } from '../../src/features/osl/rates'
import type { TimelineEntry } from '../../src/platform/audit/timeline'
import { paths } from '../../src/platform/paths'
import { areCostsSeen } from '../costs'
import { showCount, showDate, showMoney } from '../format'
import { Island } from '../island'
import { Facts, Stamps } from '../ui/facts'
import type { FormState } from '../ui/form-state'
import { Notes } from '../ui/notes'
import { PageHead } from '../ui/page-head'
import { RecordStrip } from '../ui/record-strip'
import { FEES_ALARM } from './columns'
import { StorageFees } from './storage-fees'

type Props = {
  entry: OslRow
  fees: Fees
  rates: OslRate[]
  timeline: TimelineEntry[]
  hasMoreNotes: boolean
  form: FormState
  rateForm: FormState
  statusForm: FormState
}

const hasNextStep = ({ waiting_on, next_action, owner, expected_return }: OslRow) =>
  Boolean(waiting_on || next_action || owner || expected_return)

/** Entering a completion date selects the status Completed. */
function StatusForm({ entry, form: { refusal, values } }: { entry: OslRow; form: FormState }) {
  const action = paths.osl.status(entry.id)
  const { status, completed_on } = refusal ? { ...entry, ...values } : entry
  return (
    <form
      className="line-form"
      method="post"
      action={action}
      hx-post={action}
      hx-target="this"
      hx-select={`form[action="${action}"]`}
      hx-swap="outerHTML"
    >
      <input type="hidden" name="version" value={entry.version} />
      <select name="status" aria-label="Status" defaultValue={status}>
        {OSL_STATUSES.map((status) => (
          <option key={status}>{status}</option>
        ))}
      </select>
      <label className="filter">
        <span>Completed on</span>
        <input
          type="date"
          name="completed_on"
          defaultValue={completed_on ?? ''}
          data-ticks="status=Completed"
          aria-describedby={refusal && 'status-error'}
          aria-invalid={refusal && true}
          autoFocus={refusal && true}
        />
      </label>
      <button type="submit" className="button">
        Change
      </button>
      {refusal && (
        <p className="status-hint field-error" id="status-error" role="alert">
          Failed to update status: <br />
          {refusal.errors?.map(({ message }) => message).join(', ') || refusal.message}
        </p>
      )}
    </form>
  )
}

const VendorLink = ({ entry: { vendor_id, vendor_name } }: { entry: OslRow }) =>
  vendor_id && areCostsSeen() ? <a href={paths.vendorBilling.show(vendor_id)}>{vendor_name}</a> : vendor_name

/**
 * Returns the daily rate on the last charged day. `rates` are the later rates with their start dates. Until the first
 * later rate starts, the original rate of the entry applies.
 */
const currentRate = ({ storage_fee_daily_rate }: OslRow, { as_of }: Fees, rates: OslRate[]) =>
  rates
    .filter(({ from }) => from <= as_of)
    .toSorted((a, b) => a.from.localeCompare(b.from))
    .at(-1)?.daily_rate ?? storage_fee_daily_rate

function Head({ entry, fees, rates, statusForm }: Pick<Props, 'entry' | 'fees' | 'rates' | 'statusForm'>) {
  const { storage_fees_applicable: isCharged, location_name, vendor_id, osl_date } = entry
  return (
    <RecordStrip
      facts={[
        [
          'Status',
          <>
            <StatusForm entry={entry} form={statusForm} />
            <span className="only-printed">
              {entry.status} {entry.completed_on && showDate(entry.completed_on)}
            </span>
          </>,
        ],
        ['Location', location_name],
        ['Vendor', vendor_id && <VendorLink entry={entry} />],
        ['OSL date', showDate(osl_date)],
      ]}
      figures={[
        ['Daily rate', isCharged ? showMoney(currentRate(entry, fees, rates)) : null],
        ['Days', showCount(fees.days_out_of_service)],
        ['Storage fees', isCharged ? showMoney(fees.total) : null, fees.total >= FEES_ALARM ? 'alarm' : undefined],
      ]}
    />
  )
}

export function OslPage({ entry, fees, rates, timeline, hasMoreNotes, form, rateForm, statusForm }: Props) {
  return (
    <>
      <PageHead title={`OSL entry of unit ${entry.unit_number}`} hasManyActions>
        <a className="button" href={paths.vehicles.show(entry.unit_number)}>
          Vehicle
        </a>
        <a className="button" href={paths.osl.remove(entry.id)} data-modal="">
          Delete
        </a>
        <a className="button button-primary" href={paths.osl.edit(entry.id)} data-modal="">
          Edit
        </a>
      </PageHead>
      <Head {...{ entry, fees, rates, statusForm }} />
      <div className="record-columns">
        <div>
          <section className="panel">
            <h2>Problem</h2>
            <p className="running-text">{entry.problem}</p>
          </section>
          {hasNextStep(entry) && (
            <section className="panel">
              <h2>Next step</h2>
              <Facts
                isRuled
                facts={[
                  ['Waiting on', entry.waiting_on],
                  ['Next step', entry.next_action],
                  ['Next step on', showDate(entry.next_action_on)],
                  ['Owner', entry.owner],
                  ['Expected back', showDate(entry.expected_return)],
                ]}
              />
            </section>
          )}
          <StorageFees entry={entry} fees={fees} rates={rates} form={rateForm} />
          <Details entry={entry} />
        </div>
        <Notes
          entries={timeline}
          hasMore={hasMoreNotes}
          page={paths.osl.show(entry.id)}
          action={paths.osl.notes(entry.id)}
          form={form}
          noun="OSL entry"
          entity="osl_entries"
        />
      </div>
      <Island name="modal" id="modal" props={{}} />
    </>
  )
}

const Details = ({ entry }: { entry: OslRow }) => (
  <section className="panel">
    <h2>Details</h2>
    <Facts
      isRuled
      facts={[
        ['RA number', entry.ra_number],
        ['TA log number', entry.ta_log_number],
        ['PO number', entry.po_number],
        ['Mileage', showCount(entry.osl_mileage)],
        ['Model year', entry.model_year],
        ['Key location', entry.key_location],
        ['Fuel level', entry.fuel_level],
        ['Generator hours', entry.generator_hours],
        ['Propane level', entry.propane_level],
        ['Contact phone', entry.contact_phone],
        ['Contact e-mail', entry.contact_email],
        ['Exchange location', entry.exchange_location],
        ['Non-rev number', entry.non_rev_number],
        ['Fleet registration mailed', entry.fleet_registration_mailed ? 'Yes' : 'No'],
        ['Notes on the OSL entry', entry.notes],
      ]}
    />
    <Stamps record={entry} entity="osl_entries" />
  </section>
)
