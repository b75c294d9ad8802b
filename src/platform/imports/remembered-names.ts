import { and, asc, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { importAliases, locations, type NewName, transportCompanies } from '../../../db/schema'
import { DATA_TYPES, type DataType } from '../../../db/vocabulary'
import { locationLabel } from '../../../views/places/options'
import { nameKey } from '../reading/text'
import type { Write } from '../records/transactions'
import { changeRecord, createRecord, removeRecord } from '../records/write'
import { Refused } from '../refusals'
import { type NameLookup, wordAlias } from './names'
import { rememberedKey } from './parse/heading-keys'

export type Alias = Awaited<ReturnType<typeof listAliases>>[number]

export const listAliases = (db: Db) =>
  db
    .select({
      ...getTableColumns(importAliases),
      location_name: locations.location_name,
      transport_company_name: transportCompanies.company_name,
    })
    .from(importAliases)
    .leftJoin(locations, eq(locations.id, importAliases.location_id))
    .leftJoin(transportCompanies, eq(transportCompanies.id, importAliases.transport_company_id))
    .orderBy(asc(importAliases.kind), asc(sql`lower(${importAliases.alias})`))

type Meaning = Pick<
  typeof importAliases.$inferInsert,
  'kind' | 'data_type' | 'alias' | 'field' | 'value' | 'location_id' | 'transport_company_id'
>

/** Maximum number of remembered headings, names, words and defaults. Each import loads all of them. */
const REMEMBERED_LIMIT = 3000

/** The importer remembers as much as it can. */
export class RememberedFull extends Refused {}

/**
 * Stores a heading, name, word or default that the importer remembers. Replaces an earlier entry of the same kind with
 * the same text.
 * @throws RememberedFull when the importer remembers too much
 */
export async function rememberAlias(write: Write, meaning: Meaning): Promise<void> {
  const hasSameType = meaning.data_type
    ? eq(importAliases.data_type, meaning.data_type)
    : isNull(importAliases.data_type)
  const [existing] = await write.db
    .select({ id: importAliases.id })
    .from(importAliases)
    .where(
      and(
        eq(importAliases.kind, meaning.kind),
        hasSameType,
        sql`lower(${importAliases.alias}) = lower(${meaning.alias})`,
        meaning.kind === 'value' || meaning.kind === 'word' ? eq(importAliases.field, meaning.field ?? '') : undefined,
      ),
    )
  if (existing) await changeRecord(write, importAliases, { id: existing.id, what: 'Remembered name', values: meaning })
  else if ((await write.db.$count(importAliases)) < REMEMBERED_LIMIT) await createRecord(write, importAliases, meaning)
  else
    throw new RememberedFull([
      {
        field: meaning.kind === 'word' ? 'words' : 'names',
        message:
          `The importer remembers ${REMEMBERED_LIMIT} names and words. ` +
          'Delete some of them under Remembered names.',
      },
    ])
}

/** @throws Missing when the remembered name does not exist */
export const forgetAlias = (write: Write, id: number) => removeRecord(write, importAliases, id, 'Remembered name')

/**
 * Loads the fields that users chose for headings in earlier files. The map keys are headings, normalized by
 * `rememberedKey`.
 */
export async function rememberedColumns(db: Db, dataType: DataType): Promise<Map<string, string>> {
  const aliases = await db
    .select({ alias: importAliases.alias, field: importAliases.field })
    .from(importAliases)
    .where(and(eq(importAliases.kind, 'column'), eq(importAliases.data_type, dataType)))
  return new Map(aliases.flatMap(({ alias, field }) => (field ? [[rememberedKey(alias), field]] : [])))
}

export const allRememberedColumns = async (db: Db): Promise<Map<DataType, Map<string, string>>> =>
  new Map(
    await Promise.all(DATA_TYPES.map(async (dataType) => [dataType, await rememberedColumns(db, dataType)] as const)),
  )

/**
 * Loads the remembered defaults of one data type. The map keys come from `shapeOf` and identify sheets with the same
 * columns.
 */
export async function rememberedDefaults(db: Db, dataType: DataType): Promise<Map<string, Record<string, string>>> {
  const aliases = await db
    .select({ alias: importAliases.alias, field: importAliases.field, value: importAliases.value })
    .from(importAliases)
    .where(and(eq(importAliases.kind, 'value'), eq(importAliases.data_type, dataType)))
  const byShape = new Map<string, Record<string, string>>()
  for (const { alias, field, value } of aliases)
    if (field && value) byShape.set(alias, { ...byShape.get(alias), [field]: value })
  return byShape
}

/**
 * Placeholder id, in staged rows, for a location or company to create. `at` is its index in the upload's list of new
 * names. The id is negative, so that it is never a real id.
 */
export const placeholderId = (at: number) => -(at + 1)

/**
 * Loads the names, codes, aliases and words that the importer recognizes. `created` contains names of records that will
 * be created when the import is committed.
 */
export async function importNames(db: Db, dataType: DataType, created: NewName[] = []): Promise<NameLookup> {
  const [places, companies, aliases] = await Promise.all([
    db
      .select({
        id: locations.id,
        code: locations.location_code,
        name: locations.location_name,
        others: locations.other_names,
      })
      .from(locations),
    db
      .select({
        id: transportCompanies.id,
        name: transportCompanies.company_name,
        others: transportCompanies.other_names,
      })
      .from(transportCompanies),
    listAliases(db),
  ])
  const names: NameLookup = { locations: new Map(), companies: new Map(), words: new Map() }
  for (const { kind, data_type, alias, field, value } of aliases)
    if (kind === 'word' && data_type === dataType && field) names.words.set(wordAlias(field, alias), value)
  for (const { alias, location_id, location_name, transport_company_id, transport_company_name } of aliases) {
    if (location_id)
      names.locations.set(nameKey(alias), { id: location_id, label: location_name ?? '', alias: location_name ?? '' })
    if (transport_company_id)
      names.companies.set(nameKey(alias), {
        id: transport_company_id,
        label: transport_company_name ?? '',
        alias: transport_company_name ?? '',
      })
  }
  for (const { id, name, others } of companies)
    for (const other of others ?? []) names.companies.set(nameKey(other), { id, label: name, alias: name })
  // The name or alias of a location overrides a remembered name, unless several locations share the name or alias.
  // Codes override both, because codes are unique.
  const namedPlaces = places.flatMap((place) => [place.name, ...(place.others ?? [])].map((name) => ({ name, place })))
  for (const [key, all] of Map.groupBy(namedPlaces, ({ name }) => nameKey(name))) {
    const [only, ...more] = new Set(all.map(({ place }) => place))
    if (only && more.length === 0)
      names.locations.set(key, {
        id: only.id,
        label: only.name,
        ...(nameKey(only.name) === key ? {} : { alias: only.name }),
      })
    else if (!names.locations.has(key)) names.locations.set(key, { id: null, label: key })
  }
  for (const { id, code } of places) names.locations.set(nameKey(code), { id, label: code })
  for (const { id, code, name } of places) {
    const label = locationLabel({ location_name: name, location_code: code })
    const pairs = [' - ', '-', ': ', '/', ' / ', ' '].map((between) => `${code}${between}${name}`)
    for (const text of [label, ...pairs, `${name} - ${code}`, `${name}-${code}`]) {
      const key = nameKey(text)
      if (!names.locations.has(key)) names.locations.set(key, { id, label: name })
    }
  }
  for (const { id, name } of companies) names.companies.set(nameKey(name), { id, label: name })
  for (const [at, { kind, name, id }] of created.entries()) {
    const lookup = kind === 'location' ? names.locations : names.companies
    if (!lookup.get(nameKey(name))?.id) lookup.set(nameKey(name), { id: id ?? placeholderId(at), label: name })
  }
  return names
}
