import type { Title } from '../../src/features/titles/queries'
import { paths } from '../../src/platform/paths'
import { showDate } from '../format'
import { Input, TextArea } from '../ui/fields'
import { Form } from '../ui/form'
import { FormPage } from '../ui/form-page'
import type { FormState } from '../ui/form-state'

export function ChaseForm({ title, form }: { title: Title; form: FormState }) {
  return (
    <FormPage title={`Follow up on the title, unit ${title.unit_number}`}>
      <p className="lead">
        {[title.dealer_name, title.dealer_contact].filter(Boolean).join(', ') || 'No dealer on record'}.{' '}
        {title.last_chased_on ? `Last follow-up ${showDate(title.last_chased_on)}.` : 'No follow-up yet.'}
      </p>
      <Form action={paths.titles.chase(title.id)} form={form} submit="Save note" cancel={paths.titles.list}>
        <TextArea form={form} name="note_text" label="Note" required wide max={5000} />
        <Input form={form} name="next_on" label="Follow up on" type="date" hint="Hidden from Due until this date" />
      </Form>
    </FormPage>
  )
}
