import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { locations, type NewName, transportCompanies, uploadRows, uploads } from '../../../db/schema'
import { kinds } from '../kinds'
import { isAlso } from '../records/master-data/other-names'
import { beginningWith } from '../records/search'
import type { Write } from '../records/transactions'
import type { StoredUpload } from './job/steps'
import { importKind } from './kinds'
import { placeholderId } from './remembered-names'

export const NEW_NAME_LIMIT = 100

async function freeCode(tx: Db, name: string): Promise<string> {
  const begin = name.slice(0, 17).toWellFormed().trim()
  const existing = await tx
    .select({ code: locations.location_code })
    .from(locations)
    .where(sql`lower(${locations.location_code}) like lower(${beginningWith(begin)})`)
  const codes = new Set(existing.map(({ code }) => code.toLowerCase()))
  const whole = name.slice(0, 20).toWellFormed().trim()
  if (!codes.has(whole.toLowerCase())) return whole
  for (let n = 2; ; n++) if (!codes.has(`${begin} ${n}`.toLowerCase())) return `${begin} ${n}`
}

/**
 * Returns the id of a location or company. Creates the record, unless another user has created it since the file was
 * read.
 */
async function idOf(write: Write, { kind, name }: NewName): Promise<number> {
  if (kind === 'location') {
    const [existing] = await write.db
      .select({ id: locations.id })
      .from(locations)
      .where(
        sql`lower(${locations.location_code}) = lower(${name}) or lower(${locations.location_name}) = lower(${name})
          or ${isAlso(locations, name)}`,
      )
      .orderBy(sql`lower(${locations.location_code}) = lower(${name}) desc`, locations.id)
      .limit(1)
    if (existing) return existing.id
    const created = await kinds('places').location.create(write, {
      location_code: await freeCode(write.db, name),
      location_name: name,
      location_type: 'Hub',
    })
    return created.id
  }
  const [existing] = await write.db
    .select({ id: transportCompanies.id })
    .from(transportCompanies)
    .where(sql`lower(${transportCompanies.company_name}) = lower(${name}) or ${isAlso(transportCompanies, name)}`)
    .orderBy(sql`lower(${transportCompanies.company_name}) = lower(${name}) desc`, transportCompanies.id)
  return existing?.id ?? (await kinds('places').company.create(write, { company_name: name })).id
}

/**
 * Creates the locations and companies that an import adds. Replaces their placeholder ids in the staged rows. Runs
 * within the caller's transaction, before the rows are written.
 * @returns the names with their ids, to be saved with the upload
 */
export async function createNames(write: Write, upload: StoredUpload): Promise<NewName[]> {
  const { columns } = importKind(upload.data_type)
  const created: NewName[] = []
  for (const [at, name] of upload.new_names.entries()) {
    if (name.id !== undefined) {
      created.push(name)
      continue
    }
    const id = await idOf({ ...write, actor: { ...write.actor, upload_id: upload.id } }, name)
    for (const [n, { kind }] of columns.entries()) {
      if (kind !== name.kind) continue
      const cell = sql.raw(`cells[${n + 1}]`)
      await write.db.execute(
        sql`update ${uploadRows} set ${cell} = ${String(id)} where upload_id = ${upload.id} and outcome <> 'error'
          and ${cell} = ${String(placeholderId(at))}`,
      )
    }
    created.push({ ...name, id })
  }
  return created
}

export const keepNames = (tx: Db, upload: StoredUpload, new_names: NewName[]) =>
  tx.update(uploads).set({ new_names }).where(eq(uploads.id, upload.id))
