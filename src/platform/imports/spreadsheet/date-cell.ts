import * as XLSX from 'xlsx'

export function dateOf(serial: number, date1904: boolean): { date: string } | null {
  const day = XLSX.SSF.parse_date_code(serial, { date1904 })
  // Excel stores a time of day as a date with day 0. Such a cell is not a date.
  if (!day || day.d < 1) return null
  return { date: `${day.y}-${String(day.m).padStart(2, '0')}-${String(day.d).padStart(2, '0')}` }
}
