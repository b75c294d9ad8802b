import { paths } from '../../src/paths'
import { type FormState, headingOf, Input, Select, TextArea, UnitNumberInput, withStored } from '../ui/fields'
import { Form } from '../ui/form'
import { FormPage } from '../ui/form-page'

type Named = { id: number; location_code: string; location_name: string }
type Props = { action: string; form: FormState; locations: Named[]; isNew: boolean }

export function TitleForm({ action, form, locations, isNew }: Props) {
  const places = locations.map(({ id, location_code, location_name }) => ({
    value: id,
    label: `${location_name} (${location_code})`,
  }))
  return (
    <FormPage title={isNew ? 'Add title' : headingOf('Edit title', form)}>
      <Form
        entity="titles"
        action={action}
        form={form}
        submit={isNew ? 'Add title' : 'Save changes'}
        cancel={paths.titles.list}
      >
        <UnitNumberInput form={form} autoFocus={isNew} />
        <Select
          form={form}
          name="location_id"
          label="Location"
          required
          blank="Choose…"
          options={withStored(places, form, 'location_id', 'location_name')}
        />
        <Input form={form} name="dealer_name" label="Dealer" max={100} />
        <Input form={form} name="dealer_contact" label="Dealer contact" max={100} />
        <Input form={form} name="submitted_date" label="Submitted" type="date" hint="Today when blank" />
        <TextArea form={form} name="notes" label="Notes" wide max={5000} />
      </Form>
    </FormPage>
  )
}
