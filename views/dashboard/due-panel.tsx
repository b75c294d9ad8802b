import type { DueCounts, DueItem } from '../../src/features/due/queries'
import { paths, withQuery } from '../../src/platform/paths'
import { dueRules, formatDaysOverdue } from '../../src/platform/records/kind'
import { recordOf } from '../due/rules'
import { showCount } from '../format'

export type DueSummary = { counts: DueCounts; worst: DueItem[] }

export function DuePanel({ counts, worst }: DueSummary) {
  if (counts.total === 0) return null
  const rules = dueRules().filter(({ name }) => counts[name])
  return (
    <section className="panel due-panel">
      <h2>
        <a href={paths.due.list}>Due: {showCount(counts.total)}</a>
      </h2>
      <div className="due-kinds">
        {rules.map(({ name, label, verb, href }) => (
          <section key={name}>
            <h3>
              <a href={withQuery(paths.due.list, { kind: name })}>
                <span className="due-count">{showCount(counts[name] ?? 0)}</span> {label}
              </a>
            </h3>
            <ul>
              {worst
                .filter((item) => item.kind === name)
                .map((item) => (
                  <li key={item.id} title={item.text}>
                    <a href={recordOf(item)}>{item.unit_number}</a>{' '}
                    <span className={`due-far is-${item.severity}`}>{formatDaysOverdue(item)}</span>{' '}
                    <a href={href(item)} data-modal="">
                      {verb}
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
