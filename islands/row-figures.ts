import type { StoredStatus } from './status-text'

const MONEY = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

export function showFigures(row: Element | null | undefined, record: StoredStatus) {
  for (const cell of row?.querySelectorAll<HTMLElement>('[data-figure]') ?? [])
    cell.textContent = String(record[cell.dataset.figure ?? ''] ?? '')
  for (const cell of row?.querySelectorAll<HTMLElement>('[data-money]') ?? [])
    cell.textContent = MONEY.format(Number(record[cell.dataset.money ?? ''] ?? 0))
}
