import { DUE_KINDS } from '../../db/vocabulary'
import type { DueCounts, DueItem } from '../../src/features/due/queries'
import { paths, withQuery } from '../../src/platform/paths'
import { howFar, KINDS, recordOf } from '../due/kinds'
import { showCount } from '../format'

export type DueSummary = { counts: DueCounts; worst: DueItem[] }

/** What is due, by kind: how many, the worst of them, and how one is done. */
export function DuePanel({ counts, worst }: DueSummary) {
  if (counts.total === 0) return null
  const kinds = DUE_KINDS.filter((kind) => counts[kind] > 0)
  return (
    <section className="panel due-panel">
      <h2>
        <a href={paths.due.list}>Due: {showCount(counts.total)}</a>
      </h2>
      <div className="due-kinds">
        {kinds.map((kind) => (
          <section key={kind}>
            <h3>
              <a href={withQuery(paths.due.list, { kind })}>
                <span className="due-count">{showCount(counts[kind])}</span> {KINDS[kind].label}
              </a>
            </h3>
            <ul>
              {worst
                .filter((item) => item.kind === kind)
                .map((item) => (
                  <li key={item.id} title={item.text}>
                    <a href={recordOf(item)}>{item.unit_number}</a>{' '}
                    <span className={`due-far is-${item.severity}`}>{howFar(item)}</span>{' '}
                    <a href={KINDS[kind].at(item)} data-modal={kind === 'osl_stale' ? undefined : ''}>
                      {KINDS[kind].verb}
                    </a>
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </div>
    </section>
  )
}
