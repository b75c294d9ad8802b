import type { DueItem } from '../../src/features/due/queries'
import { paths } from '../../src/platform/paths'
import { formatDaysOverdue } from '../../src/platform/records/kind'
import { Input } from '../ui/fields'
import { Form } from '../ui/form'
import { FormPage } from '../ui/form-page'
import type { FormState } from '../ui/form-state'
import { dueRule } from './rules'

export function SnoozeForm({ item, form }: { item: DueItem; form: FormState }) {
  return (
    <FormPage title={`Snooze unit ${item.unit_number}`}>
      <p className="lead">
        {dueRule(item).label}: {item.text} ({formatDaysOverdue(item)}).
      </p>
      <Form action={paths.due.snooze(item.kind, item.id)} form={form} submit="Snooze" cancel={paths.due.list}>
        <Input form={form} name="until" label="Until" type="date" hint="Hidden from Due until this date" />
        <Input
          form={form}
          name="reason"
          label="Reason"
          max={255}
          hint="Without a date, a reason snoozes the item permanently"
        />
      </Form>
    </FormPage>
  )
}
