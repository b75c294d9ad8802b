import { eq } from 'drizzle-orm'
import { uploads } from '../../../db/schema'
import type { DataType } from '../../../db/vocabulary'
import type { Write } from '../records/transactions'
import type { ColumnKind } from './kind'
import { fieldsOf, importKind } from './kinds'
import { headerKey, rememberedKey, shapeOf } from './parse/heading-keys'
import {
  forgetAlias,
  listAliases,
  RememberedFull,
  rememberAlias,
  rememberedColumns,
  rememberedDefaults,
} from './remembered-names'

/** Remembers the chosen columns and defaults of an import. They apply to later files with the same headings. */
export async function rememberAnswers(write: Write, id: number): Promise<void> {
  const { data_type, found, fields, defaults } = uploads
  const [upload] = await write.db.select({ data_type, found, fields, defaults }).from(uploads).where(eq(uploads.id, id))
  if (!upload?.found) return
  const { header } = upload.found
  try {
    if (upload.fields) await rememberColumns(write, upload.data_type, header, upload.fields)
    await rememberDefaults(write, upload.data_type, header, upload.defaults)
  } catch (error) {
    // The import works without remembered answers.
    if (!(error instanceof RememberedFull)) throw error
  }
}

/**
 * Remembers which field the user chose for each heading of a file. Headings that are field names need not be
 * remembered. The headings of columns that the user chose to ignore are forgotten.
 */
async function rememberColumns(write: Write, data_type: DataType, header: string[], fields: (string | null)[]) {
  const own = new Set(fieldsOf(data_type).map(headerKey))
  const before = await rememberedColumns(write.db, data_type)
  for (const [at, text] of header.entries()) {
    const alias = text.trim().slice(0, 200).toWellFormed()
    const field = fields[at] ?? null
    if (!alias || own.has(headerKey(alias)) || before.get(rememberedKey(alias)) === (field ?? undefined)) continue
    if (field) await rememberAlias(write, { kind: 'column', data_type, alias, field })
    else {
      const outdatedAliases = (await listAliases(write.db)).filter(
        (candidate) => candidate.data_type === data_type && rememberedKey(candidate.alias) === rememberedKey(alias),
      )
      for (const { id } of outdatedAliases) await forgetAlias(write, id)
    }
  }
}

/**
 * Kinds of columns whose default values are remembered for later files. Dates and numbers are left out, because they
 * rarely apply to the next file.
 */
const REMEMBERED_KINDS: ColumnKind[] = ['word', 'location', 'company', 'flag']

/**
 * Remembers an import's defaults for later sheets with the same columns. Forgets remembered defaults that are now
 * blank.
 */
async function rememberDefaults(write: Write, data_type: DataType, header: string[], defaults: Record<string, string>) {
  const alias = shapeOf(header)
  if (!alias) return
  const rememberedFields = new Set(
    importKind(data_type).columns.flatMap(({ name, kind }) => (REMEMBERED_KINDS.includes(kind) ? [name] : [])),
  )
  const before = (await rememberedDefaults(write.db, data_type)).get(alias) ?? {}
  for (const [field, value] of Object.entries(defaults))
    if (rememberedFields.has(field) && before[field] !== value)
      await rememberAlias(write, { kind: 'value', data_type, alias, field, value })
  const stored = (await listAliases(write.db)).filter(
    (candidate) => candidate.kind === 'value' && candidate.data_type === data_type && candidate.alias === alias,
  )
  for (const { id, field } of stored) if (!defaults[field ?? '']) await forgetAlias(write, id)
}
