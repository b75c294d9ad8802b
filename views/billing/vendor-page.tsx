import type { InvoiceSummary } from '../../src/features/billing/queries'
import type { CurrentStorage, VendorMonth } from '../../src/features/billing/statement'
import type { Vendor } from '../../src/features/places/vendors/queries'
import { paths, withQuery } from '../../src/platform/paths'
import { showCount, showDays, showMoney } from '../format'
import { Island } from '../island'
import { Facts } from '../ui/facts'
import { Input } from '../ui/fields'
import { MonthsPanel } from '../ui/months-panel'
import { BillerHead } from './biller-head'
import { InvoicesPanel } from './invoices-panel'

type Props = {
  vendor: Vendor
  currentStorage: CurrentStorage
  months: VendorMonth[]
  invoices: InvoiceSummary[]
  /** Default period of the storage statement: last month. */
  period: { start_date: string; end_date: string }
  isAdmin: boolean
}

export function VendorPage({ vendor, currentStorage, months, invoices, period, isAdmin }: Props) {
  const form = { values: period }
  return (
    <>
      <BillerHead
        name={vendor.vendor_name}
        lead={vendor.vendor_type ?? 'Vendor'}
        edit={isAdmin ? paths.vendors.edit(vendor.id) : null}
        checkInvoice={paths.vendorBilling.createInvoice(vendor.id)}
      />
      <section className="panel">
        <h2>Storage</h2>
        <Facts
          facts={[
            [
              'Units stored now',
              <a key="units" href={withQuery(paths.osl.active, { vendor_id: vendor.id })}>
                {showCount(currentStorage.units)} {currentStorage.units === 1 ? 'unit' : 'units'}
              </a>,
            ],
            ['Cost per day', showMoney(currentStorage.per_day)],
            ['Accrued so far', showMoney(currentStorage.so_far)],
            [
              'Daily rate and grace period for new OSL entries',
              vendor.storage_daily_rate === null
                ? 'None'
                : `${showMoney(vendor.storage_daily_rate)} a day, grace period ${showDays(vendor.storage_grace_days)}`,
            ],
            ['Contact', vendor.contact_person],
            ['Phone', vendor.phone],
            ['E-mail', vendor.email],
            ['Address', vendor.address],
            ['Notes', vendor.notes],
          ]}
        />
      </section>
      <form className="panel not-printed" method="get" action={paths.vendorBilling.statement(vendor.id)}>
        <h2>Statement</h2>
        <p className="hint">Storage fees that the vendor can charge for each unit, calculated from our OSL entries.</p>
        <div className="fields">
          <Input form={form} name="start_date" label="Start date" type="date" required />
          <Input form={form} name="end_date" label="End date" type="date" required />
        </div>
        <div className="form-buttons">
          <button type="submit" className="button">
            Show statement
          </button>
        </div>
      </form>
      <MonthsPanel
        months={months}
        caption="Chargeable storage in each of the last twelve months"
        href={({ start_date, end_date }) =>
          withQuery(paths.vendorBilling.statement(vendor.id), { start_date, end_date })
        }
        amount={({ amount }) => amount}
        columns={[
          { label: 'Units', align: 'right', cell: ({ units }) => showCount(units) },
          { label: 'Chargeable', align: 'right', cell: ({ amount }) => showMoney(amount) },
        ]}
      />
      <InvoicesPanel invoices={invoices} />
      <Island name="modal" id="modal" props={{}} />
    </>
  )
}
