import { make } from './make'

const cellsOf = (row: Element) => [...row.querySelectorAll<HTMLInputElement>('[data-cell]')]

/**
 * Keyboard shortcuts and pasting for tables of input cells.
 * Enter moves down and adds a row if needed. Shift+Enter moves up. Ctrl+D copies the cell above. Pasting several cells
 * fills the table, starting at the current cell. Ctrl+Z undoes the last paste or Ctrl+D, unless the user has typed
 * since.
 */
export function grids() {
  document.addEventListener('keydown', (event) => {
    const cell = cellOf(event.target)
    if (!cell || event.altKey || event.isComposing) return
    const isCommand = event.ctrlKey || event.metaKey
    if (isCommand && !event.shiftKey && event.key.toLowerCase() === 'z' && undoLastChange) {
      event.preventDefault()
      return undoLastChange()
    }
    const [isMove, isRepeat] = [event.key === 'Enter' && !isCommand, event.key.toLowerCase() === 'd' && isCommand]
    if (!isMove && !isRepeat) return
    event.preventDefault()
    const { rows, at, column } = placeOf(cell)
    const inRow = (row: number) => (rows[row] ? cellsOf(rows[row])[column] : undefined)
    // Ctrl+D keeps the focus in the cell, as in a spreadsheet.
    if (isRepeat) return putAll(cell, [[cell, inRow(at - 1)?.value ?? cell.value]])
    if (!event.shiftKey) grow(rows, at + 2)
    const next = cellAt(cell, at + (event.shiftKey ? -1 : 1), column)
    next?.focus()
    next?.select()
  })
  // After the user has typed, Ctrl+Z must undo the typed text. The browser does this, so forget the last paste or
  // Ctrl+D.
  document.addEventListener('input', (event) => {
    if (event.isTrusted && cellOf(event.target)) undoLastChange = undefined
  })
  document.addEventListener('paste', (event) => {
    const cell = cellOf(event.target)
    const block = blockOf(event.clipboardData?.getData('text/plain') ?? '')
    if (!cell || block.flat().length < 2) return
    event.preventDefault()
    fill(cell, block)
  })
}

const cellAt = (from: HTMLInputElement, row: number, column: number) => {
  const targetRow = placeOf(from).rows[row]
  return targetRow && cellsOf(targetRow)[column]
}

/**
 * Adds empty rows up to `rowCount` or the limit of the table.
 * Also writes the number of rows to the URL, so that the page has enough rows for a restored draft.
 */
function grow(rows: Element[], rowCount: number) {
  const [last] = rows.slice(-1)
  const maxRows = Number(last?.closest('table')?.dataset.most ?? 0)
  if (!last || rowCount <= rows.length || rows.length >= maxRows) return
  const newCount = Math.min(rowCount, maxRows)
  const end = numberOf(last)
  for (let more = 1; more <= newCount - rows.length; more++) last.parentElement?.append(blankLike(last, end + more))
  const address = new URL(location.href)
  // Add the data type to the URL. The URL lacks the data type if the page shows rejected input.
  const kind = last.closest('form')?.querySelector<HTMLInputElement>('input[name=data_type]')
  if (kind) address.searchParams.set('data_type', kind.value)
  address.searchParams.set('rows', String(newCount))
  history.replaceState(history.state, '', address)
}

const numberOf = (row: Element) => Number(row.querySelector('th')?.textContent)

function blankLike(row: Element, number: number): Element {
  const next = row.cloneNode(true) as Element
  const before = next.querySelector('th')?.textContent ?? ''
  next.querySelector('th')?.replaceChildren(String(number))
  for (const cell of cellsOf(next)) {
    cell.value = ''
    cell.defaultValue = ''
    cell.name = cell.id = cell.name.replace(`.${before}.`, `.${number}.`)
    cell.ariaLabel = (cell.ariaLabel ?? '').replace(/\d+$/, String(number))
    cell.ariaInvalid = null
    cell.autofocus = false
    cell.removeAttribute('aria-describedby')
  }
  return next
}

const cellOf = (target: EventTarget | null) =>
  target instanceof HTMLInputElement && target.dataset.cell !== undefined ? target : null

function placeOf(cell: HTMLInputElement) {
  const rows = [...(cell.closest('table')?.querySelectorAll('tbody tr') ?? [])].filter((row) => cellsOf(row).length > 0)
  const at = rows.findIndex((row) => row.contains(cell))
  return { rows, at, column: cellsOf(rows[at] as Element).indexOf(cell) }
}

/**
 * Parses text that was copied from a spreadsheet into rows of cells.
 * Spreadsheets put quotation marks around cells that contain line breaks or quotation marks.
 */
export function blockOf(text: string): string[][] {
  const block: string[][] = [[]]
  for (const [, quoted, plain = '', end] of text
    .replaceAll('\r\n', '\n')
    .replace(/\n$/, '')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^\t\n]*))(\t|\n|$)/g)) {
    block.at(-1)?.push((quoted === undefined ? plain : quoted.replaceAll('""', '"')).trim())
    if (end === '\n') block.push([])
    if (end === '') break
  }
  return block
}

function setValue(field: HTMLInputElement, text: string) {
  field.value = text
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Undoes the last paste or Ctrl+D. The browser can undo only typed text. */
let undoLastChange: (() => void) | undefined

function putAll(from: HTMLInputElement, changes: [field: HTMLInputElement, text: string][]) {
  const before = changes.map(([field]) => [field, field.value] as const)
  for (const [field, text] of changes) setValue(field, text)
  undoLastChange = () => {
    undoLastChange = undefined
    for (const [field, text] of before) setValue(field, text)
    showLeftOver(from, [])
    from.focus()
  }
}

const plainOf = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')

function isHeadings(table: Element | null, line: string[]): boolean {
  const headings = new Set(
    [...(table?.querySelectorAll('thead th, tbody tr:first-child [data-cell]') ?? [])].map((element) =>
      plainOf(
        element instanceof HTMLInputElement ? (element.name.split('.').at(-1) ?? '') : (element.textContent ?? ''),
      ),
    ),
  )
  const filled = line.map(plainOf).filter(Boolean)
  return filled.length > 1 && filled.filter((text) => headings.has(text)).length * 2 > filled.length
}

function fill(cell: HTMLInputElement, lines: string[][]) {
  const block = isHeadings(cell.closest('table'), lines[0] ?? []) ? lines.slice(1) : lines
  const { at: first, rows: before } = placeOf(cell)
  grow(before, first + block.length)
  const { rows, at, column } = placeOf(cell)
  const changes: [field: HTMLInputElement, text: string][] = []
  for (const [down, line] of block.entries()) {
    const row = rows[at + down]
    const cells = row ? cellsOf(row) : []
    for (const [right, text] of line.entries()) {
      const field = cells[column + right]
      if (field) changes.push([field, text])
    }
  }
  putAll(cell, changes)
  const over = at + block.length - rows.length
  const wide = Math.max(...block.map((line) => line.length)) + column - cellsOf(rows[at] as Element).length
  showLeftOver(cell, [
    ...(over > 0
      ? [`${over} ${over === 1 ? 'row' : 'rows'} did not fit in the table. To paste more rows, use File Upload`]
      : []),
    ...(wide > 0 ? ['Some columns did not fit in the table'] : []),
  ])
}

/**
 * Shows a message about pasted cells that did not fit.
 * The message stays until the next paste. A message at the top of the page would disappear too soon.
 */
function showLeftOver(cell: Element, messages: string[]) {
  const [form, table] = [cell.closest('form'), cell.closest('table')]
  form?.querySelector('[data-left-over]')?.remove()
  if (!table || messages.length === 0) return
  const note = make('p', { className: 'field-wide field-error', role: 'alert' }, messages.join('. '))
  note.dataset.leftOver = ''
  const scroll = table.closest('.table-scroll') ?? table
  scroll.before(note)
}
