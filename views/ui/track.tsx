import { type ReactNode, useContext } from 'react'
import type { TimelineEntry } from '../../src/platform/audit/timeline'
import { fieldLabel } from '../../src/platform/field-label'
import { changedValue } from '../changed-value'
import { showInstant } from '../format'
import { LongText } from './long-text'
import { TimeZone } from './time-zone'
import { Day } from './today'

const VERBS: Record<string, string> = { create: 'added', delete: 'deleted', restore: 'restored' }

type Props = {
  entries: TimelineEntry[]
  /** Returns the name of the record that an entry is about. It can be a link to the record's page. */
  what: (entry: TimelineEntry) => ReactNode
}

/** Timeline of notes and changes. A filled circle marks a note. */
export function Track({ entries, what }: Props) {
  const timeZone = useContext(TimeZone)
  return (
    <ol className="track">
      {entries.map((entry) => {
        const [date = '', time] = showInstant(entry.at, timeZone).split(', ')
        const [month, day, year] = date.split('/')
        return (
          <li
            key={`${entry.entity} ${entry.id} ${entry.kind} ${entry.at.getTime()} ${entry.text}`}
            data-kind={entry.kind}
          >
            <Day date={`${year}-${month}-${day}`} />
            <div>
              {entry.kind === 'note' ? <LongText text={entry.text} /> : <Change entry={entry} what={what(entry)} />}
              <p className="by">
                {entry.by ?? 'Yardmaster'}, {time}
              </p>
            </div>
          </li>
        )
      })}
    </ol>
  )
}

function Change({ entry, what }: { entry: TimelineEntry; what: ReactNode }) {
  const { kind, changes } = entry
  const verb = VERBS[kind]
  if (verb)
    return (
      <>
        <p>
          {what} {verb}
        </p>
        {changes.length > 0 && (
          <LongText
            text={changes
              .map(({ field, old, new: now }) => `${fieldLabel(field)} ${changedValue(field, now ?? old)}`)
              .join(', ')}
          />
        )}
      </>
    )
  return (
    <>
      {what}
      <ul>
        {changes.map(({ field, old, new: now }) => (
          <li key={field}>
            {fieldLabel(field)}{' '}
            <LongText text={`${old === null ? '' : `${changedValue(field, old)} → `}${changedValue(field, now)}`} />
          </li>
        ))}
      </ul>
    </>
  )
}
