import { paths } from '../../src/paths'
import { FileInput, Input, TextArea } from '../ui/fields'
import { Form } from '../ui/form'
import { FormPage } from '../ui/form-page'
import type { FormState } from '../ui/form-state'

type Props = { vendor: { id: number; vendor_name: string }; form: FormState }

/** A vendor's invoice as it is typed, or pasted from a spreadsheet. */
export function InvoiceForm({ vendor, form }: Props) {
  return (
    <FormPage title={`Check an invoice of ${vendor.vendor_name}`}>
      <Form
        action={paths.vendorBilling.createInvoice(vendor.id)}
        form={form}
        submit="Check invoice"
        busy="Checking..."
        hasFile
        cancel={paths.vendorBilling.show(vendor.id)}
      >
        <Input form={form} name="number" label="Invoice number" required max={50} autoFocus />
        <Input form={form} name="start_date" label="First day billed" type="date" required />
        <Input form={form} name="end_date" label="Last day billed" type="date" required />
        <TextArea
          form={form}
          name="lines"
          label="Lines"
          wide
          rows={12}
          hint="Paste them from their spreadsheet, or type: unit and amount, or unit, days, rate and amount. Headings are passed over."
        />
        <FileInput
          form={form}
          name="file"
          label="Or their spreadsheet"
          accept=".csv,.xlsx"
          hint="With columns for unit and amount, and days and rate if they bill by the day"
        />
      </Form>
    </FormPage>
  )
}
