const cellsOf = (row: Element) => [...row.querySelectorAll<HTMLInputElement>('input[data-cell]')]

/**
 * A grid of cells: Enter goes down, also to a row that was not there, Shift Enter up, Ctrl D repeats the cell above, and
 * several cells that are pasted fill those from there on; Ctrl Z right after takes them back.
 */
export function grids() {
  document.addEventListener('keydown', (event) => {
    const cell = cellOf(event.target)
    if (!cell || event.altKey || event.isComposing) return
    const isCommand = event.ctrlKey || event.metaKey
    if (isCommand && !event.shiftKey && event.key.toLowerCase() === 'z' && takeBack) {
      event.preventDefault()
      return takeBack()
    }
    const [isMove, isRepeat] = [event.key === 'Enter' && !isCommand, event.key.toLowerCase() === 'd' && isCommand]
    if (!isMove && !isRepeat) return
    event.preventDefault()
    const { rows, at, column } = placeOf(cell)
    const inRow = (row: number) => (rows[row] ? cellsOf(rows[row])[column] : undefined)
    // As in a spreadsheet it stays where it is, so that a row is repeated cell by cell.
    if (isRepeat) return putAll(cell, [[cell, inRow(at - 1)?.value ?? cell.value]])
    if (!event.shiftKey) grow(rows, at + 2)
    const next = cellAt(cell, at + (event.shiftKey ? -1 : 1), column)
    next?.focus()
    next?.select()
  })
  // The browser takes back what was typed since.
  document.addEventListener('input', (event) => {
    if (event.isTrusted && cellOf(event.target)) takeBack = undefined
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
  const wanted = placeOf(from).rows[row]
  return wanted && cellsOf(wanted)[column]
}

/**
 * Adds blank rows until there are so many, or as many as the table takes. The address keeps their number, so that what
 * was typed in them finds its place when the page comes again.
 */
function grow(rows: Element[], wanted: number) {
  const [last] = rows.slice(-1)
  const most = Number(last?.closest('table')?.dataset.most ?? 0)
  if (!last || wanted <= rows.length || rows.length >= most) return
  const many = Math.min(wanted, most)
  const end = numberOf(last)
  for (let more = 1; more <= many - rows.length; more++) last.parentElement?.append(blankLike(last, end + more))
  const address = new URL(location.href)
  // A page that came back refused has lost what its rows are.
  const kind = last.closest('form')?.querySelector<HTMLInputElement>('input[name=data_type]')
  if (kind) address.searchParams.set('data_type', kind.value)
  address.searchParams.set('rows', String(many))
  history.replaceState(history.state, '', address)
}

const numberOf = (row: Element) => Number(row.querySelector('th')?.textContent)

/** A row like `row`, with nothing in it. */
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

/** The cells that a spreadsheet puts on the clipboard: one with a line end or a quote in it stands in quotes. */
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

/** As if it were typed. */
function put(field: HTMLInputElement, text: string) {
  field.value = text
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Takes back what was put into cells at last; the browser knows only what was typed. */
let takeBack: (() => void) | undefined

function putAll(from: HTMLInputElement, changes: [field: HTMLInputElement, text: string][]) {
  const before = changes.map(([field]) => [field, field.value] as const)
  for (const [field, text] of changes) put(field, text)
  takeBack = () => {
    takeBack = undefined
    for (const [field, text] of before) put(field, text)
    sayLeft(from, [])
    from.focus()
  }
}

const plainOf = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Does a pasted line repeat the headings of the table, or the names of its fields? */
function isHeadings(table: Element | null, line: string[]): boolean {
  const known = new Set(
    [...(table?.querySelectorAll('thead th, tbody tr:first-child input[data-cell]') ?? [])].map((one) =>
      plainOf(one instanceof HTMLInputElement ? (one.name.split('.').at(-1) ?? '') : (one.textContent ?? '')),
    ),
  )
  const filled = line.map(plainOf).filter(Boolean)
  return filled.length > 1 && filled.filter((text) => known.has(text)).length * 2 > filled.length
}

function fill(cell: HTMLInputElement, pasted: string[][]) {
  const block = isHeadings(cell.closest('table'), pasted[0] ?? []) ? pasted.slice(1) : pasted
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
  sayLeft(cell, [
    ...(over > 0 ? [`${over} ${over === 1 ? 'row' : 'rows'} did not fit; paste them all under File Upload`] : []),
    ...(wide > 0 ? ['Some columns did not fit'] : []),
  ])
}

/** Stays above the table until the next paste: what is missing is not forgotten with a message that goes. */
function sayLeft(cell: Element, left: string[]) {
  const [form, table] = [cell.closest('form'), cell.closest('table')]
  form?.querySelector('[data-left-over]')?.remove()
  if (!table || left.length === 0) return
  const note = document.createElement('p')
  note.className = 'field-wide field-error'
  note.dataset.leftOver = ''
  note.role = 'alert'
  note.textContent = left.join('. ')
  const scroll = table.closest('.table-scroll') ?? table
  scroll.before(note)
}
