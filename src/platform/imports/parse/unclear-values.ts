import { type DateOrder, possibleOrders } from '../../reading/dates'
import { nameKey } from '../../reading/text'
import { wordAlias } from '../names'
import { DOTTED } from './understand-cell'

/**
 * Findings about the order of day and month in a date column. `rows` counts ambiguous dates such as 3/4/2026.
 * `dayFirst` is a date from the column, such as 31/1/2026, that can only have the day first.
 */
type DateColumn = {
  rows: number
  samples: Set<string>
  isMonthFirst: boolean
  dayFirst: string | null
  dayFirstRows: number
}

const DATE_SAMPLES = 3
const NAMES_LIMIT = 500
const NAME_LENGTH = 200

const shownDate = (text: string) => text.trim().slice(0, 40).toWellFormed()

/**
 * Collects the unclear values of a file, such as unknown names, and counts their rows. The preview asks the user what
 * they mean.
 */
export class UnclearValues {
  readonly #dates = new Map<string, DateColumn>()
  readonly #names = new Map<string, { kind: 'location' | 'company'; name: string; rows: number }>()
  readonly #words = new Map<string, { field: string; text: string; rows: number }>()

  constructor(
    readonly dateOrders: Record<string, DateOrder>,
    readonly ordersInHeadings: Record<string, DateOrder> = {},
    /** Fields whose dates with dots are read with the day first. */
    readonly dottedDays: ReadonlySet<string> = new Set(),
  ) {}

  /** Fields of `dottedDays` with a date that can only have the month first. */
  readonly #monthFirst = new Set<string>()

  /**
   * Counts one row with an unknown location or company name. The preview shows the total when it asks the user what the
   * name means. Ignores names that are too long or contain control characters, because they cannot be remembered.
   */
  countName(kind: 'location' | 'company', name: string) {
    if (name.length > NAME_LENGTH || /\p{Cc}/u.test(name)) return
    const key = `${kind}|${nameKey(name)}`
    const unknownName = this.#names.get(key)
    if (unknownName) unknownName.rows++
    else if (this.#names.size < NAMES_LIMIT) this.#names.set(key, { kind, name, rows: 1 })
  }

  /** Counts one row with an unknown word. The preview shows the total when it asks the user what the word means. */
  countWord(field: string, text: string) {
    if (text.length > NAME_LENGTH || /\p{Cc}/u.test(text)) return
    const key = wordAlias(field, text)
    const unknownWord = this.#words.get(key)
    if (unknownWord) unknownWord.rows++
    else if (this.#words.size < NAMES_LIMIT) this.#words.set(key, { field, text, rows: 1 })
  }

  lookAtDate(field: string, text: string) {
    const orders = possibleOrders(text)
    if (orders.length === 0) return
    if (this.dottedDays.has(field) && DOTTED.test(text)) {
      if (orders.join() === 'month') this.#monthFirst.add(field)
      return
    }
    const column = this.#dates.getOrInsertComputed(field, () => ({
      rows: 0,
      samples: new Set(),
      isMonthFirst: false,
      dayFirst: null,
      dayFirstRows: 0,
    }))
    if (orders[0] === 'month' && orders.length === 1) column.isMonthFirst = true
    else if (orders.length === 1) {
      column.dayFirst ??= shownDate(text)
      column.dayFirstRows++
    } else {
      column.rows++
      if (column.samples.size < DATE_SAMPLES) column.samples.add(shownDate(text))
    }
  }

  /**
   * Returns the date columns whose order of day and month is unclear. Such a column has ambiguous dates, and no date
   * that can only have the month first.
   */
  get dates() {
    return [...this.#dates]
      .filter(
        ([field, { rows, isMonthFirst, dayFirstRows }]) =>
          rows > 0 && (!isMonthFirst || dayFirstRows > 0) && !this.ordersInHeadings[field],
      )
      .map(([field, { samples, rows }]) => ({ field, samples: [...samples], rows }))
  }

  /**
   * Returns the orders of date fields that must be read again. With the day first, these are fields in which some dates
   * can only have the day first, and none can only have the month first. A column with a single date is ignored,
   * because that date may be a typing error.
   */
  get orders(): Record<string, DateOrder> {
    const dayFirst = [...this.#dates].filter(
      ([field, { rows, isMonthFirst, dayFirstRows }]) =>
        dayFirstRows > 0 && !isMonthFirst && rows + dayFirstRows > 1 && !this.dateOrders[field],
    )
    return Object.fromEntries([
      ...dayFirst.map(([field]) => [field, 'day']),
      ...[...this.#monthFirst].map((field) => [field, 'month']),
    ])
  }

  /**
   * Returns the columns whose dates were read with the day first. `sample` is a date that can only have the day first.
   */
  get dayFirst(): { field: string; sample: string }[] {
    return [...this.#dates].flatMap(([field, { dayFirst }]) =>
      dayFirst && this.dateOrders[field] === 'day' ? [{ field, sample: dayFirst }] : [],
    )
  }

  /**
   * Returns the columns with dates of both orders, and an ambiguous date as `sample`, which was read with the month
   * first unless the user chose otherwise.
   */
  get mixed(): { field: string; sample: string }[] {
    return [...this.#dates].flatMap(
      ([
        field,
        {
          isMonthFirst,
          dayFirstRows,
          samples: [sample],
        },
      ]) => (isMonthFirst && dayFirstRows > 0 && sample ? [{ field, sample }] : []),
    )
  }

  get words() {
    return [...this.#words.values()].sort((a, b) => b.rows - a.rows)
  }

  get names() {
    return [...this.#names.values()].sort((a, b) => b.rows - a.rows)
  }
}
