import type { DataType } from '../../../../db/vocabulary'
import type { SampleNames } from '../kind'
import { fieldsOf, importKind } from '../kinds'

export const DEFAULT_SAMPLE_NAMES: SampleNames = {
  locations: ['Phoenix', 'Tempe'],
  company: 'Desert Auto Haul',
  exist: false,
}

export async function sampleWorkbook(
  dataType: DataType,
  names: SampleNames,
  today: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const XLSX = await import('xlsx')
  const header = fieldsOf(dataType)
  const sheet = XLSX.utils.aoa_to_sheet([
    header,
    ...importKind(dataType)
      .sample(names, today)
      .map((line) => header.map((name) => line[name] ?? null)),
  ])
  sheet['!cols'] = header.map((name) => ({ wch: Math.max(12, name.length + 2) }))
  const book = XLSX.utils.book_new()
  XLSX.utils.book_append_sheet(book, sheet, dataType)
  return new Uint8Array(XLSX.write(book, { type: 'array', bookType: 'xlsx', compression: true }) as ArrayBuffer)
}
