import type { ReactNode } from 'react'

/** A form on a page of its own; the modal island shows the same `#sheet` in a dialog. */
export function FormPage({ title, children, narrow = true }: { title: string; children: ReactNode; narrow?: boolean }) {
  return (
    <section className={`sheet${narrow ? ' sheet-narrow' : ''}`} id="sheet" data-title={title}>
      <h1>{title}</h1>
      {children}
    </section>
  )
}
