import { type ReactNode, useContext } from 'react'
import { DOCUMENT_OWNERS, type DocumentOwner } from '../../db/vocabulary'
import { paths } from '../../src/platform/paths'
import { HIDDEN, NONE, showInstant } from '../format'
import { TimeZone } from './time-zone'

/** Number of characters above which a value has its own line. */
const LONG_TEXT_LENGTH = 70

export function Facts({
  facts,
  isRuled = false,
}: {
  facts: [label: string, value: ReactNode][]
  /** True to show two columns with lines, for records with many values. */
  isRuled?: boolean
}) {
  return (
    <dl className={isRuled ? 'facts is-ruled' : 'facts'}>
      {facts
        .filter(
          ([, value]) => value !== null && value !== undefined && value !== '' && value !== NONE && value !== HIDDEN,
        )
        .map(([label, value]) => (
          <div
            key={label}
            className={typeof value === 'string' && value.length > LONG_TEXT_LENGTH ? 'is-long' : undefined}
          >
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

const DOCUMENT_OWNER_NAMES = Object.keys(DOCUMENT_OWNERS) as DocumentOwner[]

/** `entity` is the table name for the link to the history. */
export function Stamps({ record, entity }: { record: Stamped; entity: string }) {
  const timeZone = useContext(TimeZone)
  const owner = DOCUMENT_OWNER_NAMES.find((name) => DOCUMENT_OWNERS[name] === entity)
  return (
    <p className="stamps">
      Created {showInstant(record.created_at, timeZone)} by {record.created_by ?? 'the system'}
      {record.updated_at.getTime() !== record.created_at.getTime() && (
        <>
          , last changed {showInstant(record.updated_at, timeZone)} by {record.updated_by ?? 'the system'}
        </>
      )}
      . <a href={paths.history(entity, record.id)}>History</a>
      {owner && (
        <>
          {' · '}
          <a href={paths.documents.of(owner, record.id)}>Documents</a>
        </>
      )}
    </p>
  )
}
