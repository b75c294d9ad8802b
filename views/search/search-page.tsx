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
        lead={q ? `Results for “${q}”` : 'Type a unit, VIN, plate, RA or PO number, or a page.'}
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
              Showing the first {SHOWN}. Refine your search, or <a href={everywhere}>search all vehicles</a>.
            </p>
          )}
        </>
      ) : (
        q && (
          <div className="empty">
            <h2>No results for “{q}”</h2>
            <p>
              <a href={everywhere}>Search all vehicles</a>, including by location.
            </p>
          </div>
        )
      )}
    </>
  )
}
