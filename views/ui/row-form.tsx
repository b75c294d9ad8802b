import type { ReactNode } from 'react'
import { failureAttribute } from './failure-text'

/** Form that changes a table row in place. Without scripts, the browser posts the form and returns to the list. */
export const RowForm = ({ action, children }: { action: string; children: ReactNode }) => (
  <form method="post" action={action} data-row-form="" {...failureAttribute(action)}>
    {children}
  </form>
)
