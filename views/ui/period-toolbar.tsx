import { SearchField } from './toolbar'

type Props = {
  path: string
  query: { start_date: string; end_date: string; q?: string | null | undefined }
  search: string
  /** Filters of the list that have no input in this form. A search keeps these filters. */
  filters?: Record<string, string>
  /** Message about why the list cannot be shown. It disappears when the user changes a field. */
  refusal?: string | undefined
}

export function PeriodToolbar({ path, query, search, filters = {}, refusal }: Props) {
  return (
    <form className="toolbar" method="get" action={path}>
      <label className="filter">
        <span>Start date</span>
        <input type="date" name="start_date" defaultValue={query.start_date} />
      </label>
      <label className="filter">
        <span>End date</span>
        <input type="date" name="end_date" defaultValue={query.end_date} />
      </label>
      <SearchField label={search} value={query.q} />
      {Object.entries(filters).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button type="submit" name="search" value="1" className="button">
        Search
      </button>
      {refusal && (
        <p className="banner banner-danger" role="alert" data-clear-on-input="">
          {refusal}
        </p>
      )}
    </form>
  )
}
