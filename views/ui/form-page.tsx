import type { ReactNode } from 'react'

type Props = { title: string; children: ReactNode; narrow?: boolean /** As wide as there is room. */; isFull?: boolean }

/** A form on a page of its own; the modal island shows the same `#sheet` in a dialog. */
export function FormPage({ title, children, narrow = true, isFull }: Props) {
  return (
    <section className={`sheet${isFull ? ' sheet-full' : narrow ? ' sheet-narrow' : ''}`} id="sheet" data-title={title}>
      <h1>{title}</h1>
      {children}
    </section>
  )
}
