import type { ReactNode } from 'react'

type Props = {
  title: string
  lead?: ReactNode
  /** On phones, the actions start on a line of their own, so that the heading does not move while they arrive. */
  hasManyActions?: boolean
  children?: ReactNode
}

export function PageHead({ title, lead, hasManyActions, children }: Props) {
  return (
    <div className={hasManyActions ? 'page-head has-many-actions' : 'page-head'}>
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
