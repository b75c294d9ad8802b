import { OSL_STATUSES } from '../../db/vocabulary'
import type { Fees } from '../../src/osl/fees'
import type { OslEntry as OslRow } from '../../src/osl/queries'
import type { OslRate } from '../../src/osl/rates'
import { paths } from '../../src/paths'
import { areCostsSeen } from '../costs'
import { showCount, showDate } from '../format'
import { Island } from '../island'
import { OslBadge } from '../ui/badge'
import { Facts, Stamps } from '../ui/facts'
import type { FormState } from '../ui/form-state'
import { Notes } from '../ui/notes'
import { PageHead } from '../ui/page-head'
import { StorageFees } from './storage-fees'

type Note = { id: number; note_text: string; created_at: Date; created_by: string | null }
type Props = {
  entry: OslRow
  fees: Fees
  rates: OslRate[]
  notes: Note[]
  form: FormState
  rateForm: FormState
  timeZone: string
}

const hasNextStep = ({ waiting_on, next_action, owner, expected_return }: OslRow) =>
  Boolean(waiting_on || next_action || owner || expected_return)

/** Changes the status from the entry's own page; Completed takes its day along. */
const StatusForm = ({ entry }: { entry: OslRow }) => (
  <form className="line-form" method="post" action={paths.osl.status(entry.id)}>
    <input type="hidden" name="version" value={entry.version} />
    <label className="filter">
      <span>Status</span>
      <select name="status" defaultValue={entry.status}>
        {OSL_STATUSES.map((status) => (
          <option key={status}>{status}</option>
        ))}
      </select>
    </label>
    <label className="filter">
      <span>Completed on</span>
      <input type="date" name="completed_on" defaultValue={entry.completed_on ?? ''} />
    </label>
    <button type="submit" className="button">
      Change
    </button>
  </form>
)

export function OslPage({ entry, fees, rates, notes, form, rateForm, timeZone }: Props) {
  return (
    <>
      <PageHead title={`OSL entry of unit ${entry.unit_number}`} lead={<OslBadge status={entry.status} />}>
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
      <section className="panel">
        <h2>Problem</h2>
        <p className="running-text">{entry.problem}</p>
        <StatusForm entry={entry} />
      </section>
      {hasNextStep(entry) && (
        <section className="panel">
          <h2>Next step</h2>
          <Facts
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
      <section className="panel">
        <h2>Details</h2>
        <Facts
          facts={[
            ['OSL date', showDate(entry.osl_date)],
            ['Completed', showDate(entry.completed_on)],
            ['Location', entry.location_name],
            [
              'Vendor',
              entry.vendor_id && areCostsSeen() ? (
                <a href={paths.vendorBilling.show(entry.vendor_id)}>{entry.vendor_name}</a>
              ) : (
                entry.vendor_name
              ),
            ],
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
            ['Notes on the entry', entry.notes],
          ]}
        />
        <Stamps record={entry} entity="osl_entries" />
      </section>
      <Notes notes={notes} action={paths.osl.notes(entry.id)} form={form} timeZone={timeZone} />
      <Island name="modal" id="modal" props={{}} />
    </>
  )
}
