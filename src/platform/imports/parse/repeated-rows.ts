import { fieldLabel } from '../../field-label'
import { plateKey } from '../../reading/numbers'
import { type ImportKind, OPEN_AGAIN } from '../kind'

/**
 * Finds rows that repeat an earlier row of the file. Such a row has the same values in the key columns, or the same
 * value in a column whose values must be unique. Also finds two probable mistakes:
 * - A row has the plate of an earlier row, but a different unit.
 * - A row is an open record of a unit that already has an open record in an earlier row.
 */
export class RepeatedRows {
  /**
   * Maps key values to the first row with these values.
   * `hash` is the hash of all values of that row. If a later row has the same key but a different hash, its other
   * values differ.
   */
  readonly #records = new Map<string, { row: number; hash: number | bigint }>()
  /** Maps `position|value` of a unique column to its first row. */
  readonly #uniqueValues = new Map<string, number>()
  /** Maps `plate|state` to the first row with it, and its unit number. */
  readonly #plates = new Map<string, { row: number; unit: string }>()
  readonly #openUnits = new Map<string, number>()
  readonly #key: number[]
  readonly #unique: number[]

  /** @param labels column names to show in messages */
  constructor(
    readonly kind: ImportKind,
    readonly labels: string[],
  ) {
    this.#key = kind.key.map((name) => kind.columns.findIndex((column) => column.name === name))
    this.#unique = kind.columns.flatMap(({ isUnique }, at) => (isUnique ? [at] : []))
  }

  /** Returns a message if a row repeats an earlier one. Otherwise, remembers the row. */
  find(row: number, values: (string | null)[]): string | null {
    const key = this.#key
      .map((at) =>
        this.kind.columns[at]?.identifier === 'plate' ? plateKey(values[at] ?? '') : values[at]?.toLowerCase(),
      )
      .join('|')
    const hash = Bun.hash(values.join('\u0000'))
    const first = this.#records.get(key)
    if (first) return `Duplicate of row ${first.row}${first.hash === hash ? '' : ', with other values'}`
    for (const at of this.#unique) {
      const value = values[at]
      if (value === null || value === undefined) continue
      const other = this.#uniqueValues.getOrInsert(`${at}|${value}`, row)
      if (other !== row) return `Row ${other} has the same ${this.labels[at]}`
    }
    this.#records.set(key, { row, hash })
    return null
  }

  plateOfOther(row: number, values: Record<string, string | null>): string[] {
    const plate = this.kind.columns.find(({ identifier }) => identifier === 'plate')
    const text = plate && values[plate.name]
    if (!plate || !text) return []
    const unit = values.unit_number ?? ''
    const first = this.#plates.getOrInsert(`${plateKey(text)}|${values.state_province}`, { row, unit })
    if (first.unit === unit) return []
    return [`${fieldLabel(plate.name)}: row ${first.row} has this plate for unit ${first.unit}`]
  }

  openAgain(row: number, values: Record<string, string | null>): string[] {
    if (!this.kind.isOpen?.(values)) return []
    const first = this.#openUnits.getOrInsert(values.unit_number ?? '', row)
    return first === row ? [] : [`Unit number: row ${first}${OPEN_AGAIN}`]
  }
}
