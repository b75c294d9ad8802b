import type { Db } from '../../../db/client'
import type { Found, NewName } from '../../../db/schema'
import { type DataType, NO_HEADINGS } from '../../../db/vocabulary'
import type { CurrentUser } from '../auth/current-user'
import type { AppContext } from '../context'
import { inTurn } from '../http/turns'
import { kinds } from '../kinds'
import { nameKey } from '../reading/text'
import { inTransaction, type Write } from '../records/transactions'
import { Conflict, Forbidden, Refused } from '../refusals'
import { transitionUpload } from './actions'
import { importRunner } from './job/runner'
import { columnOf, fieldsOf } from './kinds'
import { wordWithHeading } from './names'
import { NEW_NAME_LIMIT } from './new-names'
import { headingOf } from './parse/headings'
import { findUpload, type Upload } from './queries'
import { checkInProgress } from './receive'
import { rememberAlias } from './remembered-names'
import { checkDefaults, checkFields, type ImportChange } from './rules'

/**
 * Saves decisions about a previewed import and reads the file again.
 * Decisions about unknown names and words are remembered for later files at once. Decisions about columns and defaults
 * are remembered for later files only when the import is committed.
 * @throws Refused when a decision is invalid, Forbidden when a non-administrator creates a location or company,
 * Conflict when the import is not `ready`
 */
export async function answerQuestions(
  ctx: AppContext,
  write: Write,
  user: Pick<CurrentUser, 'role'>,
  id: number,
  change: ImportChange,
): Promise<Upload> {
  const { db } = ctx
  const { data_type, found, status, date_orders, new_names, mends } = await findUpload(db, id)
  if (status !== 'ready' || !found)
    throw new Conflict('The answers to the questions about this file cannot be changed now')
  if (change.data_type !== undefined && change.data_type !== data_type) {
    if (mends !== null)
      throw Refused.field('data_type', 'These rows correct an earlier import, so their data type cannot be changed')
    return readAgain(ctx, write, id, {
      data_type: change.data_type,
      fields: null,
      header_row: null,
      defaults: {},
      new_names: [],
      date_orders: {},
    })
  }
  const isOtherHeader = change.header_row !== undefined && change.header_row !== found.header_row
  const headerRows = [NO_HEADINGS, ...(found.first_rows ?? []).map(({ row }) => row)]
  if (isOtherHeader && !headerRows.includes(change.header_row as number))
    throw Refused.field('header_row', 'Choose one of the listed rows as the header row')
  const isOtherSheet = change.sheet !== undefined && change.sheet !== found.sheet
  if (isOtherHeader || isOtherSheet) change = { ...change, fields: undefined }
  if (change.fields) checkFields(data_type, found.header.length, change.fields)
  const fieldNames = new Set(fieldsOf(data_type))
  if (Object.keys(change.date_orders ?? {}).some((field) => !fieldNames.has(field)))
    throw Refused.field('date_orders', 'Choose only fields that exist for the selected data type')
  const defaults = change.defaults && checkDefaults(data_type, change.defaults, ctx.clock.today())
  if (change.sheet !== undefined && !(found.sheets ?? []).some(({ name }) => name === change.sheet))
    throw Refused.field('sheet', 'Choose one of the sheets')
  const answered = async (write: Write): Promise<Settings> => {
    let names = new_names
    for (const name of change.names ?? []) names = await answerName(write, user, name, names)
    for (const word of change.words ?? []) await answerWord(write, { data_type, found }, word)
    return {
      ...(change.existing ? { existing: change.existing } : {}),
      ...(change.fields ? { fields: change.fields } : {}),
      // A different header row or sheet has different columns, so the column choices no longer apply.
      ...(isOtherHeader ? { header_row: change.header_row, fields: null } : {}),
      ...(isOtherSheet ? { sheet: change.sheet, fields: null, header_row: null } : {}),
      ...(change.encoding ? { encoding: change.encoding } : {}),
      ...(change.skip_hidden === undefined ? {} : { skip_hidden: change.skip_hidden }),
      ...(change.skip_conflicts === undefined ? {} : { skip_conflicts: change.skip_conflicts }),
      ...(change.extend_short === undefined ? {} : { extend_short: change.extend_short }),
      ...(defaults ? { defaults } : {}),
      new_names: names,
      date_orders: { ...date_orders, ...change.date_orders },
    }
  }
  return inTurn(ctx, write, (write) => readAgain(ctx, write, id, answered))
}

type Settings = Parameters<typeof transitionUpload>[3]

/**
 * Changes a previewed import's settings and starts to read its file again.
 * If `settings` is a function, the function runs in the transaction that stores the new settings.
 */
async function readAgain(
  ctx: AppContext,
  write: Write,
  id: number,
  settings: Settings | ((write: Write) => Promise<Settings>),
): Promise<Upload> {
  await inTransaction(write, async (write) => {
    await checkInProgress(write)
    const values = typeof settings === 'function' ? await settings(write) : settings
    await transitionUpload(
      write,
      id,
      ['ready'],
      { ...values, status: 'reading', message: '' },
      'The answers to the questions about this file cannot be changed now',
    )
  })
  void importRunner(ctx).begin(id)
  return findUpload(ctx.db, id)
}

const isSameRecord = (one: Record<string, string>, other: Record<string, string>) =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].every((key) => (one[key] ?? '') === (other[key] ?? ''))

const YES_NO_CHOICES = ['skip_hidden', 'skip_conflicts', 'extend_short'] as const

/**
 * Returns true if the submitted decisions differ from the current preview.
 * If they do not differ, the import can be committed without a new preview.
 */
export async function changesImport(db: Db, id: number, change: ImportChange): Promise<boolean> {
  const upload = await findUpload(db, id)
  const { data_type, found, status, existing, date_orders, new_names, defaults } = upload
  if (status !== 'ready' || !found) return false
  const isNew = (name: { kind: string; name: string }) =>
    new_names.some((newName) => newName.kind === name.kind && newName.name === name.name)
  return (
    (change.data_type !== undefined && change.data_type !== data_type) ||
    (change.existing !== undefined && change.existing !== existing) ||
    (change.sheet !== undefined && change.sheet !== found.sheet) ||
    (change.encoding !== undefined && change.encoding !== found.encoding) ||
    YES_NO_CHOICES.some((choice) => change[choice] !== undefined && change[choice] !== upload[choice]) ||
    (change.words ?? []).length > 0 ||
    (change.defaults !== undefined && !isSameRecord(change.defaults, defaults)) ||
    (change.header_row !== undefined && change.header_row !== found.header_row) ||
    (change.fields ?? []).some((field, at) => (field ?? null) !== (found.fields[at] ?? null)) ||
    Object.entries(change.date_orders ?? {}).some(([field, order]) => order !== (date_orders[field] ?? 'month')) ||
    (change.names ?? []).some((name) => !(name.create && isNew(name)))
  )
}

/**
 * Applies the user's decision about an unknown name in a file. If the user chose an existing record, the importer
 * remembers the name for later files. If the user chose to create a record, the name is added to the list of new names.
 * The record is created when the rows are written.
 * @returns the updated list of new names
 */
async function answerName(
  write: Write,
  user: Pick<CurrentUser, 'role'>,
  { kind, name, id, create }: NonNullable<ImportChange['names']>[number],
  newNames: NewName[],
): Promise<NewName[]> {
  const others = newNames.filter((other) => other.kind !== kind || nameKey(other.name) !== nameKey(name))
  if (create) {
    if (user.role !== 'admin') throw new Forbidden('Only administrators can create locations and companies')
    if (name.length > NEW_NAME_LIMIT) throw Refused.field('names', `A name has at most ${NEW_NAME_LIMIT} characters`)
    return [...others, { kind, name }]
  }
  if (!id) {
    if (others.length === newNames.length) throw Refused.field('names', `Choose what "${name}" stands for`)
    return others
  }
  if (kind === 'location') await kinds('places').location.find(write.db, id)
  else await kinds('places').company.find(write.db, id)
  await rememberAlias(write, {
    kind,
    alias: name,
    data_type: null,
    field: null,
    location_id: kind === 'location' ? id : null,
    transport_company_id: kind === 'company' ? id : null,
  })
  return others
}

/**
 * Remembers what a word in a file means. For example, `Done` can mean the status Delivered. A mark such as `x` is
 * remembered only for columns with the same heading.
 * @throws Refused when the field has no list of values, or when the value is not in the list
 * @throws Refused when a required field would become blank
 */
async function answerWord(
  write: Write,
  { data_type, found }: { data_type: DataType; found: Found },
  { field, text, value }: NonNullable<ImportChange['words']>[number],
) {
  const column = columnOf(data_type, field)
  if (!column?.words) throw Refused.field('words', `There is no list of values for ${field}`)
  if (value === null ? column.isRequired : !column.words.includes(value))
    throw Refused.field('words', `Choose what "${text}" stands for: ${column.words.join(', ')}`)
  const alias = wordWithHeading(text, headingOf(found, field))
  await rememberAlias(write, { kind: 'word', data_type, alias, field, value })
}
