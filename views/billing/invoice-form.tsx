import { FileInput, Input, TextArea } from '../ui/fields'
import { Fold } from '../ui/fold'
import { Form } from '../ui/form'
import { FormPage } from '../ui/form-page'
import { errorOf, type FormState } from '../ui/form-state'
import { BILLERS, type BillerColumn } from './billers'

type Props = { column: BillerColumn; biller: { id: number; name: string }; form: FormState }

export function InvoiceForm({ column, biller: { id, name }, form }: Props) {
  const { pages, lines, file } = BILLERS[column]
  return (
    <FormPage title={`Check an invoice from ${name}`}>
      <Form
        action={pages.createInvoice(id)}
        form={form}
        submit="Check invoice"
        busy="Checking..."
        hasFile
        cancel={pages.show(id)}
      >
        <Input form={form} name="number" label="Invoice number" required max={50} autoFocus />
        <Input form={form} name="start_date" label="First day billed" type="date" required />
        <Input form={form} name="end_date" label="Last day billed" type="date" required />
        <TextArea form={form} name="lines" label="Lines" wide rows={12} hint={`${lines} Header rows are skipped.`} />
        <FileInput form={form} name="file" label="Or upload a spreadsheet" accept=".csv,.xls,.xlsx" hint={file} />
        <Fold title="Sheets and columns of the spreadsheet" form={form} isOpen={Boolean(errorOf(form, 'file'))}>
          <Input
            form={form}
            name="sheet"
            label="Sheets"
            max={400}
            hint="Names separated by commas. Defaults to the sheet that matches best"
          />
          <Input form={form} name="unit_column" label="Heading of the unit column" max={100} />
          <Input form={form} name="amount_column" label="Heading of the amount column" max={100} />
        </Fold>
      </Form>
    </FormPage>
  )
}
