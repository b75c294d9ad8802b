import type { Title } from '../../src/features/titles/queries'
import { paths } from '../../src/platform/paths'
import { showDate } from '../format'
import { Input, TextArea } from '../ui/fields'
import { Form } from '../ui/form'
import { FormPage } from '../ui/form-page'
import type { FormState } from '../ui/form-state'

export function ChaseForm({ title, form }: { title: Title; form: FormState }) {
  return (
    <FormPage title={`Ask for the title, unit ${title.unit_number}`}>
      <p className="lead">
        {[title.dealer_name, title.dealer_contact].filter(Boolean).join(', ') || 'No dealer on record'}.{' '}
        {title.last_chased_on ? `Last asked ${showDate(title.last_chased_on)}.` : 'Not asked yet.'}
      </p>
      <Form action={paths.titles.chase(title.id)} form={form} submit="Note it" cancel={paths.titles.list}>
        <TextArea form={form} name="note_text" label="What was said" required wide max={5000} />
        <Input
          form={form}
          name="next_on"
          label="Ask again on"
          type="date"
          hint="It is due on that day, and not before"
        />
      </Form>
    </FormPage>
  )
}
