import type { OslEntry } from '../../src/features/osl/queries'
import { paths } from '../../src/platform/paths'
import { Input, TextArea } from '../ui/fields'
import { Form } from '../ui/form'
import { FormPage } from '../ui/form-page'
import type { FormState } from '../ui/form-state'

export function FollowUpForm({ entry, form }: { entry: OslEntry; form: FormState }) {
  return (
    <FormPage title={`Follow up on unit ${entry.unit_number}`}>
      <p className="lead">
        {entry.location_name}, {entry.status}
        {entry.waiting_on && `, waiting for ${entry.waiting_on.toLowerCase()}`}. {entry.problem}
      </p>
      <Form action={paths.osl.followUp(entry.id)} form={form} submit="Save note" cancel={paths.osl.active}>
        <TextArea form={form} name="note_text" label="Note" required wide max={5000} />
        <Input form={form} name="next_action" label="Next step" max={255} wide="double" />
        <Input
          form={form}
          name="next_action_on"
          label="Next step on"
          type="date"
          hint="Hidden from Due until this date"
        />
      </Form>
    </FormPage>
  )
}
