import type { TimelineEntry } from '../../src/platform/audit/timeline'
import { entityPath, paths, withQuery } from '../../src/platform/paths'
import { Track } from '../ui/track'

const SHOWN = 50

const WORDS: Record<string, string> = {
  transports: 'Transport',
  osl_entries: 'OSL entry',
  registrations: 'Registration',
  titles: 'Title',
  vehicles: 'Vehicle',
}

type Props = { unit: string; entries: TimelineEntry[]; isWhole: boolean }

/** Everything that happened to a unit and its records, newest first. */
export function Timeline({ unit, entries, isWhole }: Props) {
  const shown = isWhole ? entries : entries.slice(0, SHOWN)
  return (
    <section className="panel">
      <h2>Timeline</h2>
      <Track entries={shown} what={(entry) => <What {...entry} />} />
      {shown.length < entries.length && (
        <p className="panel-foot">
          The latest {shown.length} of {entries.length}.{' '}
          <a href={withQuery(paths.vehicles.show(unit), { timeline: 'all' })}>Show all</a>
        </p>
      )}
    </section>
  )
}

function What({ entity, id, kind }: TimelineEntry) {
  const path = entity === 'vehicles' ? null : entityPath(entity, id)
  const words = WORDS[entity] ?? entity
  return path && kind !== 'delete' ? <a href={path}>{words}</a> : words
}
