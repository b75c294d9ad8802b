import type { ReactNode } from 'react'

/** A page's title, what it is about, and what can be done from it. */
export function PageHead({ title, lead, children }: { title: string; lead?: ReactNode; children?: ReactNode }) {
  return (
    <div className="page-head">
      <div>
        <h1>{title}</h1>
        {lead && (
          <p className="lead" id="lead">
            {lead}
          </p>
        )}
      </div>
      {children && <div className="page-actions">{children}</div>}
    </div>
  )
}
