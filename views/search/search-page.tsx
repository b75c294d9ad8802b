import type { Hit } from '../../src/features/search/queries'
import { capitalised, findKindByName } from '../../src/platform/records/kind'
import { PageHead } from '../ui/page-head'

/** Limit of the search query. */
const MAX_HITS_SHOWN = 10

export function SearchPage({ q, hits, vehicleSearchUrl }: { q: string; hits: Hit[]; vehicleSearchUrl: string }) {
  return (
    <>
      <PageHead
        title="Search"
        lead={q ? `Results for “${q}”` : 'Enter a unit number, VIN, plate, RA number, PO number or the name of a page.'}
      />
      {hits.length > 0 ? (
        <>
          <ul className="panel hits">
            {hits.map(({ kind, label, url }) => (
              <li key={url + label}>
                <a href={url}>{label}</a>{' '}
                <span className="hint">{capitalised(findKindByName(kind)?.noun ?? kind)}</span>
              </li>
            ))}
          </ul>
          {hits.length >= MAX_HITS_SHOWN && (
            <p className="hint">
              Showing the first {MAX_HITS_SHOWN}. Refine your search, or{' '}
              <a href={vehicleSearchUrl}>search all vehicles</a>.
            </p>
          )}
        </>
      ) : (
        q && (
          <div className="empty">
            <h2>No results for “{q}”</h2>
            <p>
              <a href={vehicleSearchUrl}>Search all vehicles</a>, including by location.
            </p>
          </div>
        )
      )}
    </>
  )
}
