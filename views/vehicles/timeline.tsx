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
  const { noun = entity, restore } = kindOf(entity) ?? {}
  const page = entity === 'vehicles' ? null : recordPage(entity, { id, unit_number: '' })
  // Link a deleted record to its history, which has the button that restores it.
  const path = kind === 'delete' ? restore && paths.history(entity, id) : page
  return path ? <a href={path}>{capitalised(noun)}</a> : capitalised(noun)
}
