import { DATA_TYPE_LABELS, DATA_TYPES, type DataType } from '../../db/vocabulary'
import { paths, withQuery } from '../../src/platform/paths'
import { Input, type Option, Select, TextArea } from '../ui/fields'
import { Form } from '../ui/form'
import { FormPage } from '../ui/form-page'
import type { FormState } from '../ui/form-state'
import { Tabs } from '../ui/tabs'

/**
 * Column for which the user can enter one value. The value applies to all pasted rows. The form field is a select if
 * the column has `options`, and otherwise a text input.
 */
type Every = { name: string; label: string; kind: string; options: Option[] | undefined }
type Props = {
  dataType: DataType
  order: string[]
  form: FormState
  every: Every[]
  /**
   * Values that apply to all rows but have no field in `every`. They are pairs of field name and value. They come from
   * the form of a record: the user filled in that form and then pasted rows into it. This page sends the values in
   * hidden fields.
   */
  others: [string, string][]
}

export const PastePage = ({ dataType, order, form, every, others }: Props) => (
  <FormPage title="Paste rows" narrow={false}>
    <Tabs
      label="Data type"
      tabs={DATA_TYPES.map((kind) => ({
        href: withQuery(paths.files.paste, { data_type: kind }),
        label: DATA_TYPE_LABELS[kind],
        isCurrent: kind === dataType,
      }))}
    />
    <Form
      action={paths.files.paste}
      form={form}
      submit="Preview rows"
      busy="Reading..."
      cancel={paths.files.upload}
      draft={dataType}
      isWhole
    >
      <input type="hidden" name="data_type" value={dataType} />
      {others.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <TextArea
        form={form}
        name="rows"
        label="Rows"
        required
        rows={10}
        autoFocus={!form.refusal}
        hint={
          `Include a header row, with columns in any order. Without one, use this order: ` +
          `${order.join(', ')}. Unit numbers alone are enough if you choose the rest below.`
        }
        wide
      />
      <h2 className="field-wide">Values that apply to every row</h2>
      {every.map(({ name, label, kind, options }) =>
        options ? (
          <Select key={name} form={form} name={name} label={label} options={options} blank="As in the rows" />
        ) : (
          <Input key={name} form={form} name={name} label={label} type={kind === 'date' ? 'date' : 'text'} />
        ),
      )}
    </Form>
  </FormPage>
)
