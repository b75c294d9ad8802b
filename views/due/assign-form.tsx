import type { DueItem } from '../../src/features/due/queries'
import { paths } from '../../src/platform/paths'
import { formatDaysOverdue } from '../../src/platform/records/kind'
import { optionsOf, Select } from '../ui/fields'
import { Form } from '../ui/form'
import { FormPage } from '../ui/form-page'
import type { FormState } from '../ui/form-state'
import { dueRule } from './rules'

export function AssignForm({ item, usernames, form }: { item: DueItem; usernames: string[]; form: FormState }) {
  return (
    <FormPage title={`Assign unit ${item.unit_number}`}>
      <p className="lead">
        {dueRule(item).label}: {item.text} ({formatDaysOverdue(item)}).
      </p>
      <Form action={paths.due.assign(item.kind, item.id)} form={form} submit="Assign" cancel={paths.due.list}>
        <Select form={form} name="assigned_to" label="Owner" blank="Nobody" options={optionsOf(usernames)} />
      </Form>
    </FormPage>
  )
}
