import { Refused } from '../../refusals'

export type FileKind = 'xlsx' | 'xls' | 'csv'

const refuse = (message: string) => Refused.field('file', message)

/**
 * Detects .xlsx and .xls files by their content. A file named .csv counts as CSV.
 * @throws Refused when the file is empty, when its extension is not .xlsx, .xls or .csv, when a workbook is named .csv,
 * or when a file named .xlsx or .xls is not a workbook
 */
export function sniff(bytes: Uint8Array, fileName: string): FileKind {
  const extension = /\.([a-z]+)$/i.exec(fileName)?.[1]?.toLowerCase() ?? ''
  if (!['xls', 'xlsx', 'csv'].includes(extension)) throw refuse('Only .xls, .xlsx and .csv files are accepted')
  if (bytes.length === 0) throw refuse('The file is empty')
  const starts = (...magic: number[]) => magic.every((byte, at) => bytes[at] === byte)
  const isZip = starts(0x50, 0x4b, 0x03, 0x04)
  const isOle = starts(0xd0, 0xcf, 0x11, 0xe0)
  if (extension === 'csv') {
    if (isZip || isOle)
      throw refuse('The file is named .csv but contains a workbook. Save the file as CSV, or rename the file.')
    return 'csv'
  }
  if (isZip) return 'xlsx'
  if (isOle) return 'xls'
  throw refuse(
    `The file is named .${extension} but is not an Excel workbook. Open it in a spreadsheet program and ` +
      `save it as .xlsx.`,
  )
}
