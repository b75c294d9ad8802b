import type { ReactNode } from 'react'

type Props = {
  title: string
  children: ReactNode
  narrow?: boolean
  isFull?: boolean
  /** Leaves room for unit details beside the form. */
  hasKnown?: boolean
}

/** A form on a page. The modal island shows its `#sheet` in a dialog. */
export function FormPage({ title, children, narrow = true, isFull, hasKnown }: Props) {
  const width = isFull ? ' sheet-full' : hasKnown ? ' sheet-known' : narrow ? ' sheet-narrow' : ''
  return (
    <section className={`sheet${width}`} id="sheet" data-title={title}>
      <h1>{title}</h1>
      {children}
    </section>
  )
}
