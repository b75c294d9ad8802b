import type { ReactNode } from 'react'
import { TextArea } from '../ui/fields'
import type { FormState } from '../ui/form-state'

export const OtherNames = ({ form }: { form: FormState }) => (
  <TextArea
    form={form}
    name="other_names"
    label="Aliases"
    hint="One per line. Used in search and matched in spreadsheets."
    rows={2}
    wide
  />
)

export const AlsoCalled = ({ other_names, children }: { other_names: string[] | null; children: ReactNode }) => (
  <span title={other_names?.length ? `Also called ${other_names.join(', ')}` : undefined}>
    {children}
    {other_names?.length ? <span className="also"> also {other_names.join(', ')}</span> : null}
  </span>
)
