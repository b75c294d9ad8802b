import { findList } from '../../src/platform/lists/kind'
import { rowsBefore } from '../../src/platform/lists/rows-before'
import { paths, withQuery } from '../../src/platform/paths'
import { showCount } from '../format'
import { type Meta, plain, type Query } from './list-query'

function Files({ from, query, total }: { from: string; query: Query; total: number }) {
  const { page: _page, per_page: _perPage, tab: _tab, ...filters } = plain(query)
  const at = (format: string) => withQuery(from, { ...filters, format })
  return (
    <span className="list-files" id="list-files">
      {' '}
      · Export {total === 1 ? 'it' : `all ${showCount(total)}`} with every column:{' '}
      <a href={at('xlsx')} download="">
        Excel
      </a>{' '}
      <a href={at('csv')} download="">
        CSV
      </a>
    </span>
  )
}

/** Links that save the list as a view and choose its columns. */
function OwnLinks({ list, query }: { list: string; query: Query }) {
  const { page: _, ...parameters } = plain(query)
  return (
    <span className="list-files">
      {' '}
      ·{' '}
      <a href={withQuery(paths.views.create, { list, query: withQuery('', parameters).slice(1) })} data-modal="">
        Save this view
      </a>
      {findList(list)?.columns && (
        <>
          {' '}
          ·{' '}
          <a href={paths.lists.columns(list)} data-modal="">
            Columns
          </a>
        </>
      )}
    </span>
  )
}

type Place = { path: string; query: Query; meta: Meta; shown: number }

export const addressOfPage = (path: string, query: Query, page: number) =>
  withQuery(path, { ...plain(query), ...(page === 1 ? { page: null } : { page, gone: query.gone || null }) })

function Range({ query, meta, shown, id }: Pick<Place, 'query' | 'meta' | 'shown'> & { id: string }) {
  const first = rowsBefore(query) + 1
  return (
    <span id={id}>
      {showCount(first)}–{showCount(first + shown - 1)} of {showCount(meta.total)}
    </span>
  )
}

export function PagerTop({ path, query, meta, shown }: Place) {
  return (
    <div className="pager-top" hidden={meta.pages === 1}>
      <span>
        <Range query={query} meta={meta} shown={shown} id="range-top" />
      </span>
      <span id="pages-top">
        {meta.page > 1 && <a href={addressOfPage(path, query, meta.page - 1)}>Previous</a>}
        {meta.page < meta.pages && <a href={addressOfPage(path, query, meta.page + 1)}>Next</a>}
      </span>
    </div>
  )
}

const PAGE_SIZES = [25, 50, 100, 200, 500]

function PageJump({ path, query, meta }: Omit<Place, 'shown'>) {
  const { page: _page, per_page: _perPage, ...parameters } = plain(query)
  const sizes = PAGE_SIZES.includes(meta.per_page) ? PAGE_SIZES : [meta.per_page, ...PAGE_SIZES]
  return (
    <form className="pager-jump" method="get" action={path} autoComplete="off">
      {Object.entries(parameters).map(
        ([name, value]) =>
          value !== null &&
          value !== undefined &&
          value !== '' && <input key={name} type="hidden" name={name} value={String(value)} />,
      )}
      <input type="hidden" name="gone" value={query.gone ?? 0} disabled={!query.gone} />
      {meta.pages > 1 && (
        <label>
          {'Page '}
          <input type="number" name="page" min={1} max={meta.pages} defaultValue={meta.page} inputMode="numeric" />
          {` of ${showCount(meta.pages)},`}
        </label>
      )}
      <label>
        <select name="per_page" defaultValue={meta.per_page}>
          {sizes.map((size) => (
            <option key={size}>{size}</option>
          ))}
        </select>{' '}
        rows a page
      </label>
      <button type="submit" className="button">
        Go
      </button>
    </form>
  )
}

export function Pager({
  path,
  query,
  meta,
  shown,
  file,
  listName,
}: Place & { file: string | undefined; listName: string | undefined }) {
  return (
    <nav className="pager" aria-label="Pages">
      <p>
        <Range query={query} meta={meta} shown={shown} id="range" />
        {file && <Files from={file} query={query} total={meta.total} />}
        {listName && <OwnLinks list={listName} query={query} />}
      </p>
      <div className="pager-links" id="pages">
        {meta.total > PAGE_SIZES[0]! && <PageJump path={path} query={query} meta={meta} />}
        {meta.page > 1 && (
          <a className="button" rel="prev" href={addressOfPage(path, query, meta.page - 1)}>
            Previous
          </a>
        )}
        {meta.page < meta.pages && (
          <a className="button" rel="next" href={addressOfPage(path, query, meta.page + 1)}>
            Next
          </a>
        )}
      </div>
    </nav>
  )
}
