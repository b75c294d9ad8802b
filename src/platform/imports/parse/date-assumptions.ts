import type { DataType } from '../../../../db/vocabulary'
import { type DateOrder, shortNumbers } from '../../reading/dates'
import { columnOf } from '../kinds'
import { type Cell, cellText } from '../spreadsheet/cells'
import {
  areDaysOrYears,
  areMonthsAndYears,
  dottedDate,
  hasMonthsAndYears,
  isEuropeanAmount,
  isPointAmount,
  orderInHeading,
} from './guess-by-values'

type DateFile = {
  dataType: DataType
  today: string
  header: string[]
  /** Field of each column in the file. Null means that the column is ignored. */
  fields: (string | null)[]
  firstCells: Cell[][]
  hasSemicolons: boolean | undefined
  /** Order of day and month that the user chose for each field. */
  dateOrders: Record<string, DateOrder>
}

export type DateAssumptions = {
  /** Fields whose dates with dots are read with the day first. `sample` is one of these dates, such as `05.11.2026`. */
  dotted: { field: string; sample: string }[]
  ordersInHeadings: Record<string, DateOrder>
  /** Fields whose short dates, such as `11/27`, are months and years. */
  monthYears: Set<string>
  /** Expiry date fields in which `27-Nov` can also be November 2027. */
  dayOrYear: Set<string>
  /**
   * Date fields in which `11/27` is rejected, because it is ambiguous.
   * It can mean November 27 or November 2027. Does not contain fields with expiry dates.
   */
  lackDays: Set<string>
  /** True if the file has decimal commas, or semicolons as separators. Its dates probably start with the day. */
  isEuropean: boolean
  /** True if the file has decimal commas, or if it probably has them because of its semicolons. */
  hasDecimalCommas: boolean
  /** Expiry date fields in which `11/27` is read as November 27. It can also mean November 2027. */
  unclearExpiries: { field: string; sample: string }[]
}

export function assumeDates({ dataType, today, header, fields, firstCells, ...file }: DateFile): DateAssumptions {
  const dateColumns = fields.flatMap((field, at) => {
    const column = field ? columnOf(dataType, field) : undefined
    const cells = firstCells.map((line) => line[at] ?? null)
    return field && column?.kind === 'date' ? [{ field, column, cells, heading: header[at] ?? '' }] : []
  })
  const amounts = firstCells.flat()
  const [hasCommas, hasPoints] = [amounts.some(isEuropeanAmount), amounts.some(isPointAmount)]
  const isEuropean = file.hasSemicolons || (hasCommas && !hasPoints)
  const earlier = dateColumns.filter(({ column }) => column.year === 'past').map(({ cells }) => cells)
  const expiries = dateColumns
    .filter(({ column }) => column.year === 'ahead')
    .map(({ field, cells, heading }) => ({
      field,
      cells,
      areUnclear: areDaysOrYears(cells, today),
      areMonths: hasMonthsAndYears(heading) || areMonthsAndYears(cells, earlier, today),
    }))
  const monthYears = new Set(expiries.filter(({ areMonths }) => areMonths === true).map(({ field }) => field))
  const lackDays = dateColumns.filter(
    ({ column, heading }) => column.year !== 'ahead' && (hasMonthsAndYears(heading) || monthYears.size > 0),
  )
  return {
    isEuropean,
    hasDecimalCommas: hasCommas || (isEuropean && !hasPoints),
    dotted: dateColumns.flatMap(({ field, cells }) => {
      const sample = isEuropean && !file.dateOrders[field] ? dottedDate(cells) : null
      return sample ? [{ field, sample }] : []
    }),
    ordersInHeadings: Object.fromEntries(
      dateColumns.flatMap(({ field, heading }) => {
        const order = orderInHeading(heading)
        return order ? [[field, order]] : []
      }),
    ),
    monthYears,
    dayOrYear: new Set(expiries.filter(({ areUnclear }) => areUnclear).map(({ field }) => field)),
    lackDays: new Set(lackDays.map(({ field }) => field)),
    unclearExpiries: expiries.flatMap(({ field, cells, areMonths }) => {
      const sample = cells.find((cell) => typeof cell === 'string' && shortNumbers(cell))
      return areMonths === 'unclear' ? [{ field, sample: cellText(sample ?? null).trim() }] : []
    }),
  }
}
