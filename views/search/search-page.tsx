import type { Hit } from '../../src/features/search/queries'
import { capitalised, kindNamed } from '../../src/platform/records/kind'
import { PageHead } from '../ui/page-head'

/** The search query returns at most this many. */
const SHOWN = 10

/** Results page for searches that the header's suggestions did not answer. */
export function SearchPage({ q, hits, everywhere }: { q: string; hits: Hit[]; everywhere: string }) {
  return (
    <>
      <PageHead
        title="Search"
        lead={q ? `What is called “${q}”` : 'Type a unit, VIN, plate, RA or PO number, or a page.'}
      />
      {hits.length > 0 ? (
        <>
          <ul className="panel hits">
            {hits.map(({ kind, label, url }) => (
              <li key={url + label}>
                <a href={url}>{label}</a> <span className="hint">{capitalised(kindNamed(kind)?.noun ?? kind)}</span>
              </li>
            ))}
          </ul>
          {hits.length >= SHOWN && (
            <p className="hint">
              These are the first {SHOWN}; type more of it, or <a href={everywhere}>look among all vehicles</a>.
            </p>
          )}
        </>
      ) : (
        q && (
          <div className="empty">
            <h2>Nothing is called “{q}”</h2>
            <p>
              <a href={everywhere}>Look among the vehicles</a>, also by the place where they stand.
            </p>
          </div>
        )
      )}
    </>
  )
}
