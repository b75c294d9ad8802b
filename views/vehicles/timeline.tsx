import { entityPath } from '../../src/paths'
import type { TimelineEntry } from '../../src/vehicle-history/queries'
import { NONE, showInstant } from '../format'
import { TablePanel } from '../ui/plain-table'

const SHOWN = 50

const WORDS: Record<string, string> = {
  transports: 'Transport',
  osl_entries: 'OSL entry',
  registrations: 'Registration',
  titles: 'Title',
  vehicles: 'Vehicle',
}

/** Everything that happened to a unit and its records, newest first. */
export function Timeline({ entries, timeZone }: { entries: TimelineEntry[]; timeZone: string }) {
  return (
    <TablePanel
      title="Timeline"
      caption="What happened to this unit"
      rows={entries.slice(0, SHOWN).map((entry, at) => ({ ...entry, record: entry.id, id: at }))}
      empty="Nothing yet"
      columns={[
        { label: 'When', cell: (row) => showInstant(row.at, timeZone) },
        { label: 'Who', cell: (row) => row.by ?? 'the system' },
        { label: 'What', cell: (row) => <What entity={row.entity} record={row.record} kind={row.kind} /> },
        { label: 'Details', cell: (row) => <span className="timeline-text">{row.text || NONE}</span> },
      ]}
    />
  )
}

function What({ entity, record, kind }: { entity: string; record: number; kind: string }) {
  const path = entity === 'vehicles' ? null : entityPath(entity, record)
  const words = `${WORDS[entity] ?? entity}, ${kind}`
  return path && kind !== 'delete' ? <a href={path}>{words}</a> : words
}
