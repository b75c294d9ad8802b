import type { ReactNode } from 'react'
import { Form } from './form'
import { FormPage } from './form-page'
import type { FormState } from './form-state'

type Props = { title: string; action: string; cancel: string; form: FormState; children: ReactNode }

export function DeleteRecordPage({ title, action, cancel, form, children }: Props) {
  return (
    <FormPage title={title}>
      <p>{children} The audit trail keeps the values. You can undo the deletion in the message that follows.</p>
      <Form action={action} form={form} submit="Delete" busy="Deleting..." cancel={cancel} danger />
    </FormPage>
  )
}
