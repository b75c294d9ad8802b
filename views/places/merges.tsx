import type { Merge } from '../../src/platform/records/master-data/merge'
import type { Usage } from '../../src/platform/records/master-data/queries'
import { showCount } from '../format'
import { type Option, Select } from '../ui/fields'
import { Form } from '../ui/form'
import { FormPage } from '../ui/form-page'
import type { FormState } from '../ui/form-state'
import { TablePanel } from '../ui/plain-table'
import { usesOf } from './usage'

type Props = {
  noun: string
  name: string
  usage: Usage
  others: Option[]
  form: FormState
  action: string
  cancel: string
}

export function MergePage({ noun, name, usage, others, form, action, cancel }: Props) {
  const uses = usesOf(usage)
  return (
    <FormPage title={`Merge ${noun}`}>
      <p className="lead">
        {uses ? (
          <>
            {uses} of <strong>{name}</strong> will move to the {noun} that you choose.
          </>
        ) : (
          <>
            No records use <strong>{name}</strong>.
          </>
        )}{' '}
        Its names become aliases of the {noun} that you choose. You can undo the merge for one day.
      </p>
      <Form action={action} form={form} submit="Merge" busy="Merging..." cancel={cancel} danger>
        <Select form={form} name="into_id" label={`Merge into ${noun}`} required blank="Choose…" options={others} />
      </Form>
    </FormPage>
  )
}

export function RecentMerges({ merges, takeBack }: { merges: Merge[]; takeBack: (id: number) => string }) {
  if (merges.length === 0) return null
  return (
    <TablePanel
      title="Merged in the last day"
      caption="Merges that can be undone"
      rows={merges}
      empty=""
      columns={[
        { label: 'Merged', cell: ({ from_name }) => from_name },
        { label: 'Into', cell: ({ into_name }) => into_name },
        { label: 'Records moved', cell: ({ records }) => showCount(records) },
        { label: 'By', cell: ({ merged_by }) => merged_by },
        {
          label: 'Undo',
          cell: ({ id, from_name }) => (
            <form method="post" action={takeBack(id)}>
              <button type="submit" className="link" aria-label={`Undo the merge of ${from_name}`}>
                Undo
              </button>
            </form>
          ),
        },
      ]}
    />
  )
}
