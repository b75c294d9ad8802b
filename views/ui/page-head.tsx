import type { ReactNode } from 'react'

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
