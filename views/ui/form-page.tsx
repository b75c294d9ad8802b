import type { ReactNode } from 'react'

type Props = {
  title: string
  children: ReactNode
  narrow?: boolean
  isFull?: boolean
  /** Leaves space beside the form for details of the unit. */
  hasKnown?: boolean
}

/** Page with a form. Scripts can show its element `#sheet` in a dialog instead. */
export function FormPage({ title, children, narrow = true, isFull, hasKnown }: Props) {
  const width = isFull ? ' sheet-full' : hasKnown ? ' sheet-known' : narrow ? ' sheet-narrow' : ''
  return (
    <section className={`sheet${width}`} id="sheet" data-title={title}>
      <h1>{title}</h1>
      {children}
    </section>
  )
}
