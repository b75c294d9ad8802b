import { type DateOrder, nearOrder, possibleOrders } from '../../reading/dates'
import { nameKey } from '../../reading/text'
import { wordAlias } from '../names'
import { DOTTED } from './understand-date'

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
  /** Number of dates near today if the month comes first. With the day first, they are not near today. */
  nearMonthFirst: number
  /** Number of dates near today if the day comes first. With the month first, they are not near today. */
  nearDayFirst: number
}

const DATE_SAMPLES = 3
const NAMES_LIMIT = 500
const NAME_LENGTH = 200

const shownDate = (text: string) => text.trim().slice(0, 40).toWellFormed()

/**
 * Collects unclear and missing values of a file, such as unknown names. Counts their rows. The preview asks the user
 * about these values.
 */
export class UnclearValues {
  readonly #dates = new Map<string, DateColumn>()
  readonly #names = new Map<string, { kind: 'location' | 'company'; name: string; rows: number }>()
  readonly vins = new Set<string>()
  /**
   * Number of rows whose text is too short without a prefix. For example, `Brakes` is long enough as `Problem: Brakes`.
   */
  shortRows = 0
  /** Number of rows with a blank required cell, by field. */
  readonly blankRows = new Map<string, number>()
  readonly #words = new Map<string, { field: string; text: string; rows: number }>()
  /** First date of each field whose day and month could be exchanged. An example is 2026-11-03. */
  readonly #dateCells = new Map<string, string>()

  constructor(
    readonly today: string,
    readonly dateOrders: Record<string, DateOrder>,
    readonly ordersInHeadings: Record<string, DateOrder> = {},
    /** Fields whose dotted dates, such as `11.10.2026`, have the day first. */
    readonly dottedDays: ReadonlySet<string> = new Set(),
  ) {}

  /** Fields of `dottedDays` with a date that requires the month first. An example is `11.25.2026`. */
  readonly #monthFirst = new Set<string>()

  /**
   * Counts one row with an unknown location or company name. Ignores names that are too long or contain control
   * characters, because they cannot be remembered.
   */
  countName(kind: 'location' | 'company', name: string) {
    if (name.length > NAME_LENGTH || /\p{Cc}/u.test(name)) return
    const key = `${kind}|${nameKey(name)}`
    const unknownName = this.#names.get(key)
    if (unknownName) unknownName.rows++
    else if (this.#names.size < NAMES_LIMIT) this.#names.set(key, { kind, name, rows: 1 })
  }

  countWord(field: string, text: string) {
    if (text.length > NAME_LENGTH || /\p{Cc}/u.test(text)) return
    const key = wordAlias(field, text)
    const unknownWord = this.#words.get(key)
    if (unknownWord) unknownWord.rows++
    else if (this.#words.size < NAMES_LIMIT) this.#words.set(key, { field, text, rows: 1 })
  }

  countBlank(field: string) {
    this.blankRows.set(field, (this.blankRows.get(field) ?? 0) + 1)
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
      nearMonthFirst: 0,
      nearDayFirst: 0,
    }))
    if (orders[0] === 'month' && orders.length === 1) column.isMonthFirst = true
    else if (orders.length === 1) {
      column.dayFirst ??= shownDate(text)
      column.dayFirstRows++
    } else {
      column.rows++
      const near = nearOrder(text, this.today)
      if (near === 'month') column.nearMonthFirst++
      if (near === 'day') column.nearDayFirst++
      if (column.samples.size < DATE_SAMPLES) column.samples.add(shownDate(text))
    }
  }

  /** Stores a date whose day and month could be exchanged. Keeps only the first such date of each field. */
  lookAtDateCell(field: string, date: string) {
    const [, month, day] = date.split('-').map(Number) as [number, number, number]
    if (day <= 12 && day !== month) this.#dateCells.set(field, this.#dateCells.get(field) ?? date)
  }

  /**
   * Returns the date columns whose order of day and month is unclear. Such a column contains ambiguous dates, such as
   * 3/4/2026, or dates that could not be read with the month first, such as 31/1/2026. A column is left out if
   * - its heading states the order, or
   * - some of its dates require the month first, and none require the day first.
   */
  get dates() {
    return [...this.#dates]
      .filter(([field, { rows, isMonthFirst, dayFirstRows }]) => {
        const isUnread = dayFirstRows > 0 && this.dateOrders[field] !== 'day'
        return (rows > 0 || isUnread) && (!isMonthFirst || dayFirstRows > 0) && !this.ordersInHeadings[field]
      })
      .map(([field, { samples, dayFirst, rows, dayFirstRows, nearDayFirst }]) => ({
        field,
        samples: samples.size > 0 ? [...samples] : [dayFirst ?? ''],
        rows: rows || dayFirstRows,
        is_contradicted:
          (dayFirstRows > 0 && this.dateOrders[field] !== 'day') ||
          (nearDayFirst > Math.max(1, rows / 2) && this.dateOrders[field] === undefined),
      }))
  }

  /**
   * Returns the date order of each field that must be read again.
   * - If some dates, such as 31/1/2026, require the day first and none require the month first, all fields get the day
   *   first.
   * - If the dates of the fields contradict each other, the order of each field depends only on the dates of this
   *   field.
   * - A single date decides nothing, because it may be a typing error. For the same reason, the dates that require the
   *   day first must outnumber the ambiguous dates that are near today only with the month first.
   * - Fields with dates such as `11.25.2026` get the month first.
   */
  get orders(): Record<string, DateOrder> {
    const undecided = [...this.#dates].filter(([field]) => !this.dateOrders[field])
    const total = (columns: typeof undecided, count: 'rows' | 'dayFirstRows' | 'nearMonthFirst') =>
      columns.reduce((sum, [, column]) => sum + column[count], 0)
    const isDayFirst = (columns: typeof undecided) =>
      columns.every(([, { isMonthFirst }]) => !isMonthFirst) &&
      total(columns, 'dayFirstRows') > total(columns, 'nearMonthFirst') &&
      total(columns, 'rows') + total(columns, 'dayFirstRows') > 1
    const dayFirst = isDayFirst(undecided) ? undecided : undecided.filter((column) => isDayFirst([column]))
    return Object.fromEntries([
      ...dayFirst.map(([field]) => [field, 'day']),
      ...[...this.#monthFirst].map((field) => [field, 'month']),
    ])
  }

  /**
   * Returns the columns read with the day first, with a sample date. Returns no columns unless the file has a date such
   * as 31/1/2026, which shows that the day comes first.
   */
  get dayFirst(): { field: string; sample: string }[] {
    if (![...this.#dates.values()].some(({ dayFirst }) => dayFirst)) return []
    return [...this.#dates].flatMap(([field, { dayFirst, samples }]) => {
      const sample = dayFirst ?? [...samples][0]
      return sample && this.dateOrders[field] === 'day' ? [{ field, sample }] : []
    })
  }

  /**
   * Returns columns in which a program has probably exchanged day and month. Such a column has text such as `31/1/2026`
   * and date cells. The spreadsheet program expected the month first, so it could not convert the text and probably
   * read the date cells wrongly.
   */
  get exchanged(): { field: string; sample: string }[] {
    return [...this.#dateCells].flatMap(([field, sample]) =>
      this.#dates.get(field)?.dayFirst ? [{ field, sample }] : [],
    )
  }

  /**
   * Returns columns with dates of both orders, such as 1/31/2026 and 31/1/2026. `sample` is an ambiguous date of the
   * column. Ambiguous dates were read with the month first, unless the user chose the day first.
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
