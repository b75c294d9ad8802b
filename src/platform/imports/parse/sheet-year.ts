/** A year in the name of a sheet is ignored if it is more than this number of years ago. */
const YEARS_BACK = 10

/** Returns the only year in the name of a sheet, such as `2025` or `Nov 2025`. Returns undefined for other names. */
export function yearOfSheet(name: string | null | undefined, today: string): number | undefined {
  const [year, ...others] = new Set([...(name ?? '').matchAll(/(?<!\d)20\d\d(?!\d)/g)].map(([text]) => Number(text)))
  const thisYear = Number(today.slice(0, 4))
  return year && others.length === 0 && year <= thisYear + 1 && year >= thisYear - YEARS_BACK ? year : undefined
}
