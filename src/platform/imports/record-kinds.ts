import { importAliases, uploads } from '../../../db/schema'
import { paths } from '../paths'
import type { RecordKind } from '../records/kind'

export const importRecordKinds: RecordKind[] = [
  {
    table: uploads,
    noun: 'import',
    many: 'imports',
    calledBy: uploads.file_name,
    page: ({ id }) => paths.files.import(id),
    history: 'everybody',
  },
  { table: importAliases, noun: 'remembered name', many: 'remembered names', history: 'everybody' },
]
