import type { TimelineEntry } from '../../src/platform/audit/timeline'
import { paths, withQuery } from '../../src/platform/paths'
import { capitalised, kindOf, recordPage } from '../../src/platform/records/kind'
import { Track } from '../ui/track'

const MAX_ENTRIES_SHOWN = 50

type Props = { unit: string; entries: TimelineEntry[]; isWhole: boolean }

export function Timeline({ unit, entries, isWhole }: Props) {
  const shownEntries = isWhole ? entries : entries.slice(0, MAX_ENTRIES_SHOWN)
  return (
    <section className="panel">
      <h2>Timeline</h2>
      <Track entries={shownEntries} what={(entry) => <What {...entry} />} />
      {shownEntries.length < entries.length && (
        <p className="panel-foot">
          The latest {shownEntries.length} of {entries.length}.{' '}
          <a href={withQuery(paths.vehicles.show(unit), { timeline: 'all' })}>Show all</a>
        </p>
      )}
    </section>
  )
}

function What({ entity, id, kind }: TimelineEntry) {
  const path = entity === 'vehicles' ? null : recordPage(entity, { id, unit_number: '' })
  const words = capitalised(kindOf(entity)?.noun ?? entity)
  return path && kind !== 'delete' ? <a href={path}>{words}</a> : words
}
