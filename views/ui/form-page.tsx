import type { ReactNode } from 'react'

type Props = {
  title: string
  children: ReactNode
  narrow?: boolean
  /** As wide as there is room. */
  isFull?: boolean
  /** What is known of its unit stands beside it. */
  hasKnown?: boolean
}

/** A form on a page of its own; the modal island shows the same `#sheet` in a dialog. */
export function FormPage({ title, children, narrow = true, isFull, hasKnown }: Props) {
  const width = isFull ? ' sheet-full' : hasKnown ? ' sheet-known' : narrow ? ' sheet-narrow' : ''
  return (
    <section className={`sheet${width}`} id="sheet" data-title={title}>
      <h1>{title}</h1>
      {children}
    </section>
  )
}
