import { STAGE_FIELDS, TITLE_STAGES } from '../../db/vocabulary'
import { paths } from '../../src/platform/paths'
import { MissingLocation } from '../places/missing-location'
import { type LocationChoice, locationOptions } from '../places/options'
import { Input, Select, TextArea, UnitNumberInput, withStored } from '../ui/fields'
import { andAnother, Form } from '../ui/form'
import { FormPage } from '../ui/form-page'
import { type FormState, headingOf } from '../ui/form-state'

type Props = { action: string; form: FormState; locations: LocationChoice[]; isNew: boolean }

export function TitleForm({ action, form, locations, isNew }: Props) {
  const places = locationOptions(locations)
  return (
    <FormPage title={isNew ? 'Add title' : headingOf('Edit title', form)}>
      {isNew && places.length === 0 && <MissingLocation record="A title" />}
      <Form
        entity="titles"
        action={action}
        form={form}
        submit={isNew ? 'Add title' : 'Save changes'}
        also={isNew ? andAnother('Add') : undefined}
        cancel={paths.titles.list}
      >
        <UnitNumberInput form={form} autoFocus={isNew} paste={isNew ? 'titles' : undefined} />
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
        <Input form={form} name="submitted_date" label="Submitted" type="date" hint="Defaults to today" />
        {TITLE_STAGES.map((stage) => (
          <Input key={stage} form={form} name={STAGE_FIELDS[stage]} label={`${stage} on`} type="date" />
        ))}
        <TextArea form={form} name="notes" label="Notes" wide max={5000} />
      </Form>
    </FormPage>
  )
}
