import { type ReactNode, useContext } from 'react'
import { paths } from '../../src/platform/paths'
import { HIDDEN, NONE, showInstant } from '../format'
import { TimeZone } from './time-zone'

/** From here on a value has a line of its own. */
const LONG = 70

/** What is known about one record, as labelled facts; what is blank, or not for its reader, is left out. */
export function Facts({
  facts,
  isRuled = false,
}: {
  facts: [label: string, value: ReactNode][]
  /** In two columns, each fact on a ruled line of its own: for a record with many of them. */
  isRuled?: boolean
}) {
  return (
    <dl className={isRuled ? 'facts is-ruled' : 'facts'}>
      {facts
        .filter(
          ([, value]) => value !== null && value !== undefined && value !== '' && value !== NONE && value !== HIDDEN,
        )
        .map(([label, value]) => (
          <div key={label} className={typeof value === 'string' && value.length > LONG ? 'is-long' : undefined}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

export type Stamped = {
  id: number
  created_at: Date
  created_by: string | null
  updated_at: Date
  updated_by: string | null
}

/** Who made a record and who changed it last, in the business time zone; `entity` is its table, for its history. */
export function Stamps({ record, entity }: { record: Stamped; entity: string }) {
  const timeZone = useContext(TimeZone)
  return (
    <p className="stamps">
      Created {showInstant(record.created_at, timeZone)} by {record.created_by ?? 'the system'}
      {record.updated_at.getTime() !== record.created_at.getTime() && (
        <>
          , last changed {showInstant(record.updated_at, timeZone)} by {record.updated_by ?? 'the system'}
        </>
      )}
      . <a href={paths.history(entity, record.id)}>History</a>
    </p>
  )
}
