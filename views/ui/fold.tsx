import { Children, isValidElement, type ReactNode } from 'react'
import { errorOf, type FormState, fieldValue } from './form-state'

type Props = {
  title: string
  form: FormState
  isOpen: boolean
  children: ReactNode
}

const namesOf = (children: ReactNode): string[] =>
  Children.toArray(children).flatMap((child) =>
    isValidElement<{ name?: string }>(child) && child.props.name ? [child.props.name] : [],
  )

/** Collapsible group of fields that most records leave blank. It is open if a field has a value or an error. */
export function Fold({ title, form, isOpen, children }: Props) {
  const names = namesOf(children)
  const isUsed = names.some((name) => errorOf(form, name) || !['', 'false'].includes(fieldValue(form, name)))
  return (
    <details className="fold field-wide" open={isOpen || isUsed}>
      <summary>
        {title} <span className="hint">{names.length} fields</span>
      </summary>
      <div className="fields">{children}</div>
    </details>
  )
}
