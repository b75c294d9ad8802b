import type { Fees } from '../../src/features/osl/fees'
import type { OslEntry } from '../../src/features/osl/queries'
import type { OslRate } from '../../src/features/osl/rates'
import { paths } from '../../src/platform/paths'
import { areCostsSeen } from '../costs'
import { showCount, showDate, showDays, showMoney } from '../format'
import { Input } from '../ui/fields'
import { Form } from '../ui/form'
import type { FormState } from '../ui/form-state'
import { PlainTable } from '../ui/plain-table'

type Props = { entry: OslEntry; fees: Fees; rates: OslRate[]; form: FormState }

export function StorageFees({ entry, fees, rates, form }: Props) {
  return (
    <section className="panel" id="storage">
      <h2>Storage fees</h2>
      {!areCostsSeen() ? (
        <p>{entry.storage_fees_applicable ? 'Storage fees apply.' : 'No storage fees apply.'}</p>
      ) : entry.storage_fees_applicable ? (
        <Working entry={entry} fees={fees} />
      ) : (
        <p>No storage fees apply. Out of service for {showDays(fees.days_out_of_service)}.</p>
      )}
      {rates.length > 0 && areCostsSeen() && (
        <ul className="rates">
          {rates.map(({ id, from, daily_rate }) => (
            <li key={id}>
              From {showDate(from)}: {showMoney(daily_rate)} a day{' '}
              <form method="post" action={paths.osl.removeRate(id)} className="inline-form" data-comes-back="">
                <button type="submit" className="link" aria-label={`Delete the rate from ${showDate(from)}`}>
                  Delete
                </button>
              </form>
            </li>
          ))}
        </ul>
      )}
      <details className="more" open={Boolean(form.refusal)}>
        <summary>Add a new daily rate</summary>
        <Form action={paths.osl.rates(entry.id)} form={form} submit="Add rate" busy="Adding...">
          <Input form={form} name="from" label="Start date" type="date" required />
          <Input form={form} name="daily_rate" label="Daily rate ($)" type="number" step="0.01" required />
        </Form>
      </details>
    </section>
  )
}

function Working({ entry, fees }: { entry: OslEntry; fees: Fees }) {
  const { lines, waived, waived_reason, total, days_out_of_service: days } = fees
  const [only] = lines.length > 1 ? [] : lines
  const period = `from ${showDate(entry.osl_date)} (day 0) to ${showDate(fees.as_of)}`
  const charged = only ? only.days : 0
  return (
    <>
      <p>
        {lines.length > 1 ? (
          <>
            {showDays(days)} out of service, {period}
          </>
        ) : (
          <>
            {showDays(charged)} × {showMoney(only?.daily_rate ?? entry.storage_fee_daily_rate)} ={' '}
            <strong>{showMoney(only?.amount ?? 0)}</strong>, {period}
          </>
        )}
        {entry.storage_grace_days > 0 && `; grace period ${showDays(entry.storage_grace_days)}`}
      </p>
      {lines.length > 1 && (
        <PlainTable
          caption="Days × daily rate"
          rows={lines.map((line, id) => ({ ...line, id }))}
          empty=""
          columns={[
            { label: 'From', cell: (row) => showDate(row.from) },
            { label: 'To', cell: (row) => showDate(row.to) },
            { label: 'Days', align: 'right', cell: (row) => showCount(row.days) },
            { label: 'Daily rate', align: 'right', cell: (row) => showMoney(row.daily_rate) },
            { label: 'Amount', align: 'right', cell: (row) => showMoney(row.amount) },
          ]}
        />
      )}
      {waived > 0 && (
        <p>
          Waived: {showMoney(waived)}, {waived_reason}
        </p>
      )}
      {(waived > 0 || lines.length > 1) && (
        <p>
          To pay: <strong>{showMoney(total)}</strong>
        </p>
      )}
    </>
  )
}
