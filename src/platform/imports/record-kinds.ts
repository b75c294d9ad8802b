import { importAliases, uploads } from '../../../db/schema'
import { paths } from '../paths'
import type { RecordKind } from '../records/kind'
import { findUpload } from './queries'

export const importRecordKinds: RecordKind[] = [
  {
    table: uploads,
    noun: 'import',
    many: 'imports',
    calledBy: uploads.file_name,
    page: ({ id }) => paths.files.import(id),
    history: 'everybody',
    find: (db, _clock, id) => findUpload(db, id),
  },
  { table: importAliases, noun: 'remembered name', many: 'remembered names', history: 'everybody' },
]
