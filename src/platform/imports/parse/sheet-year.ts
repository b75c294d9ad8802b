/** Maximum age of a year in the name of a sheet. Older years are ignored. */
const YEARS_BACK = 10

/**
 * Returns the only year in a sheet name, such as `Nov 2025`. Returns undefined if the name has no year, several years
 * or an implausible year.
 */
export function yearOfSheet(name: string | null | undefined, today: string): number | undefined {
  const [year, ...others] = new Set([...(name ?? '').matchAll(/(?<!\d)20\d\d(?!\d)/g)].map(([text]) => Number(text)))
  const thisYear = Number(today.slice(0, 4))
  return year && others.length === 0 && year <= thisYear + 1 && year >= thisYear - YEARS_BACK ? year : undefined
}
