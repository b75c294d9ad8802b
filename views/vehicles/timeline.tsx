import { entityPath, paths, withQuery } from '../../src/paths'
import type { TimelineEntry } from '../../src/vehicle-history/queries'
import { NONE, showInstant } from '../format'
import { LongText } from '../ui/long-text'
import { TablePanel } from '../ui/plain-table'

const SHOWN = 50

const WORDS: Record<string, string> = {
  transports: 'Transport',
  osl_entries: 'OSL entry',
  registrations: 'Registration',
  titles: 'Title',
  vehicles: 'Vehicle',
}

type Props = { unit: string; entries: TimelineEntry[]; isWhole: boolean; timeZone: string }

/** Everything that happened to a unit and its records, newest first. */
export function Timeline({ unit, entries, isWhole, timeZone }: Props) {
  const shown = isWhole ? entries : entries.slice(0, SHOWN)
  return (
    <TablePanel
      title="Timeline"
      caption="What happened to this unit"
      rows={shown.map((entry, at) => ({ ...entry, record: entry.id, id: at }))}
      empty="Nothing yet"
      columns={[
        { label: 'When', cell: (row) => showInstant(row.at, timeZone) },
        { label: 'Who', cell: (row) => row.by ?? 'the system' },
        { label: 'What', cell: (row) => <What entity={row.entity} record={row.record} kind={row.kind} /> },
        { label: 'Details', cell: (row) => <LongText text={row.text || NONE} /> },
      ]}
    >
      {shown.length < entries.length && (
        <p className="panel-foot">
          The latest {shown.length} of {entries.length}.{' '}
          <a href={withQuery(paths.vehicles.show(unit), { timeline: 'all' })}>Show all</a>
        </p>
      )}
    </TablePanel>
  )
}

function What({ entity, record, kind }: { entity: string; record: number; kind: string }) {
  const path = entity === 'vehicles' ? null : entityPath(entity, record)
  const words = `${WORDS[entity] ?? entity}, ${kind}`
  return path && kind !== 'delete' ? <a href={path}>{words}</a> : words
}
