import { sql } from 'drizzle-orm'
import { type Db, type Row, rows } from './client'
import first from './migrations/0000_first.sql' with { type: 'text' }
import appendOnlyAudit from './migrations/0001_append-only-audit.sql' with { type: 'text' }
import reportSchedules from './migrations/0002_report-schedules.sql' with { type: 'text' }
import poNumberSearch from './migrations/0003_po-number-search.sql' with { type: 'text' }
import imports from './migrations/0004_imports.sql' with { type: 'text' }
import uploadErrors from './migrations/0005_upload-errors.sql' with { type: 'text' }
import reportMail from './migrations/0006_report-mail.sql' with { type: 'text' }
import apiTokens from './migrations/0007_api-tokens.sql' with { type: 'text' }
import vehiclesFollow from './migrations/0008_vehicles-follow.sql' with { type: 'text' }
import barePlates from './migrations/0009_bare-plates.sql' with { type: 'text' }
import bulkChanges from './migrations/0010_bulk-changes.sql' with { type: 'text' }
import titleChasing from './migrations/0011_title-chasing.sql' with { type: 'text' }
import moneyDueViews from './migrations/0012_money-due-views.sql' with { type: 'text' }
import dueIndexes from './migrations/0013_due-indexes.sql' with { type: 'text' }
import schedulesKeepLocations from './migrations/0014_schedules-keep-locations.sql' with { type: 'text' }
import listLayouts from './migrations/0015_list-layouts.sql' with { type: 'text' }
import arrivalsInOrder from './migrations/0016_arrivals-in-order.sql' with { type: 'text' }
import registeredUntil from './migrations/0017_registered-until.sql' with { type: 'text' }
import foundByNumber from './migrations/0018_found-by-number.sql' with { type: 'text' }
import nextSteps from './migrations/0019_next-steps.sql' with { type: 'text' }
import settings from './migrations/0020_settings.sql' with { type: 'text' }
import dueMail from './migrations/0021_due-mail.sql' with { type: 'text' }
import titleStages from './migrations/0022_title-stages.sql' with { type: 'text' }
import overEstimate from './migrations/0023_over-estimate.sql' with { type: 'text' }
import otherNames from './migrations/0024_other-names.sql' with { type: 'text' }
import poNumbers from './migrations/0025_po-numbers.sql' with { type: 'text' }
import companyInvoices from './migrations/0026_company-invoices-and-budgets.sql' with { type: 'text' }
import acceptedCosts from './migrations/0027_accepted-costs.sql' with { type: 'text' }
import whoSeesCosts from './migrations/0028_who-sees-costs.sql' with { type: 'text' }
import listsByName from './migrations/0029_lists-by-name.sql' with { type: 'text' }
import mendingImports from './migrations/0030_mending-imports.sql' with { type: 'text' }
import tallies from './migrations/0031_tallies.sql' with { type: 'text' }
import issuedRegistrations from './migrations/0032_issued-registrations.sql' with { type: 'text' }
import accountSecurity from './migrations/0033_account-security.sql' with { type: 'text' }
import importChoices from './migrations/0034_import-choices.sql' with { type: 'text' }
import idempotencyKeys from './migrations/0035_idempotency-keys.sql' with { type: 'text' }
import sync from './migrations/0036_sync.sql' with { type: 'text' }
import readings from './migrations/0037_readings.sql' with { type: 'text' }
import webhooks from './migrations/0038_webhooks.sql' with { type: 'text' }
import naturalOrder from './migrations/0039_natural-order.sql' with { type: 'text' }
import secondFactors from './migrations/0040_second-factors.sql' with { type: 'text' }
import documents from './migrations/0041_documents.sql' with { type: 'text' }
import singleSignOn from './migrations/0042_single-sign-on.sql' with { type: 'text' }
import uploadFiles from './migrations/0043_upload-files.sql' with { type: 'text' }
import signIns from './migrations/0044_sign-ins.sql' with { type: 'text' }
import signInSettings from './migrations/0045_sign-in-settings.sql' with { type: 'text' }
import documentFiles from './migrations/0046_document-files.sql' with { type: 'text' }
import importAnswers from './migrations/0047_import-answers.sql' with { type: 'text' }
import signInMethods from './migrations/0048_sign-in-methods.sql' with { type: 'text' }
import auditSearch from './migrations/0049_audit-search.sql' with { type: 'text' }
import unitEndings from './migrations/0050_unit-endings.sql' with { type: 'text' }
import documentThumbnails from './migrations/0051_document-thumbnails.sql' with { type: 'text' }
import tokenAddresses from './migrations/0052_token-addresses.sql' with { type: 'text' }
import invoiceNotes from './migrations/0053_invoice-notes.sql' with { type: 'text' }
import uploadHidesCosts from './migrations/0054_upload-hides-costs.sql' with { type: 'text' }
import uploadSkipConflicts from './migrations/0055_upload-skip-conflicts.sql' with { type: 'text' }
import passkeys from './migrations/0056_passkeys.sql' with { type: 'text' }
import askAndFirstSession from './migrations/0057_ask_and_first_session.sql' with { type: 'text' }
import searchIndexes from './migrations/0058_search_indexes.sql' with { type: 'text' }
import updateOnlyRows from './migrations/0059_update_only_rows.sql' with { type: 'text' }
import retention from './migrations/0060_retention.sql' with { type: 'text' }
import storedPieces from './migrations/0061_stored_pieces.sql' with { type: 'text' }
import billedOn from './migrations/0062_billed_on.sql' with { type: 'text' }
import passkeyOrigin from './migrations/0063_passkey_origin.sql' with { type: 'text' }
import billedDays from './migrations/0064_billed_days.sql' with { type: 'text' }
import importStarter from './migrations/0065_import_starter.sql' with { type: 'text' }
import startedSteps from './migrations/0066_started_steps.sql' with { type: 'text' }
import undecidedConflicts from './migrations/0067_undecided_conflicts.sql' with { type: 'text' }
import extendShortText from './migrations/0068_extend_short_text.sql' with { type: 'text' }
import indexEntriesOfRates from './migrations/0069_index_entries_of_rates.sql' with { type: 'text' }
import indexSessionsOfSignIn from './migrations/0070_index_sessions_of_sign_in.sql' with { type: 'text' }
import countCrashesOfImports from './migrations/0071_count_crashes_of_imports.sql' with { type: 'text' }
import indexKeysOfRegistrations from './migrations/0072_index_keys_of_registrations.sql' with { type: 'text' }
import indexLatestOslNotes from './migrations/0073_index_latest_osl_notes.sql' with { type: 'text' }
import bulkScans from './migrations/0074_bulk_scans.sql' with { type: 'text' }

/**
 * All migrations, in order.
 * Never edit a migration that has run. The database stores a hash of its text, and the program does not start if the
 * text differs.
 */
export const migrations: { name: string; text: string }[] = [
  { name: '0000_first', text: first },
  { name: '0001_append-only-audit', text: appendOnlyAudit },
  { name: '0002_report-schedules', text: reportSchedules },
  { name: '0003_po-number-search', text: poNumberSearch },
  { name: '0004_imports', text: imports },
  { name: '0005_upload-errors', text: uploadErrors },
  { name: '0006_report-mail', text: reportMail },
  { name: '0007_api-tokens', text: apiTokens },
  { name: '0008_vehicles-follow', text: vehiclesFollow },
  { name: '0009_bare-plates', text: barePlates },
  { name: '0010_bulk-changes', text: bulkChanges },
  { name: '0011_title-chasing', text: titleChasing },
  { name: '0012_money-due-views', text: moneyDueViews },
  { name: '0013_due-indexes', text: dueIndexes },
  { name: '0014_schedules-keep-locations', text: schedulesKeepLocations },
  { name: '0015_list-layouts', text: listLayouts },
  { name: '0016_arrivals-in-order', text: arrivalsInOrder },
  { name: '0017_registered-until', text: registeredUntil },
  { name: '0018_found-by-number', text: foundByNumber },
  { name: '0019_next-steps', text: nextSteps },
  { name: '0020_settings', text: settings },
  { name: '0021_due-mail', text: dueMail },
  { name: '0022_title-stages', text: titleStages },
  { name: '0023_over-estimate', text: overEstimate },
  { name: '0024_other-names', text: otherNames },
  { name: '0025_po-numbers', text: poNumbers },
  { name: '0026_company-invoices-and-budgets', text: companyInvoices },
  { name: '0027_accepted-costs', text: acceptedCosts },
  { name: '0028_who-sees-costs', text: whoSeesCosts },
  { name: '0029_lists-by-name', text: listsByName },
  { name: '0030_mending-imports', text: mendingImports },
  { name: '0031_tallies', text: tallies },
  { name: '0032_issued-registrations', text: issuedRegistrations },
  { name: '0033_account-security', text: accountSecurity },
  { name: '0034_import-choices', text: importChoices },
  { name: '0035_idempotency-keys', text: idempotencyKeys },
  { name: '0036_sync', text: sync },
  { name: '0037_readings', text: readings },
  { name: '0038_webhooks', text: webhooks },
  { name: '0039_natural-order', text: naturalOrder },
  { name: '0040_second-factors', text: secondFactors },
  { name: '0041_documents', text: documents },
  { name: '0042_single-sign-on', text: singleSignOn },
  { name: '0043_upload-files', text: uploadFiles },
  { name: '0044_sign-ins', text: signIns },
  { name: '0045_sign-in-settings', text: signInSettings },
  { name: '0046_document-files', text: documentFiles },
  { name: '0047_import-answers', text: importAnswers },
  { name: '0048_sign-in-methods', text: signInMethods },
  { name: '0049_audit-search', text: auditSearch },
  { name: '0050_unit-endings', text: unitEndings },
  { name: '0051_document-thumbnails', text: documentThumbnails },
  { name: '0052_token-addresses', text: tokenAddresses },
  { name: '0053_invoice-notes', text: invoiceNotes },
  { name: '0054_upload-hides-costs', text: uploadHidesCosts },
  { name: '0055_upload-skip-conflicts', text: uploadSkipConflicts },
  { name: '0056_passkeys', text: passkeys },
  { name: '0057_ask_and_first_session', text: askAndFirstSession },
  { name: '0058_search_indexes', text: searchIndexes },
  { name: '0059_update_only_rows', text: updateOnlyRows },
  { name: '0060_retention', text: retention },
  { name: '0061_stored_pieces', text: storedPieces },
  { name: '0062_billed_on', text: billedOn },
  { name: '0063_passkey_origin', text: passkeyOrigin },
  { name: '0064_billed_days', text: billedDays },
  { name: '0065_import_starter', text: importStarter },
  { name: '0066_started_steps', text: startedSteps },
  { name: '0067_undecided_conflicts', text: undecidedConflicts },
  { name: '0068_extend_short_text', text: extendShortText },
  { name: '0069_index_entries_of_rates', text: indexEntriesOfRates },
  { name: '0070_index_sessions_of_sign_in', text: indexSessionsOfSignIn },
  { name: '0071_count_crashes_of_imports', text: countCrashesOfImports },
  { name: '0072_index_keys_of_registrations', text: indexKeysOfRegistrations },
  { name: '0073_index_latest_osl_notes', text: indexLatestOslNotes },
  { name: '0074_bulk_scans', text: bulkScans },
]

export class MigrationError extends Error {}

/**
 * Key of the Postgres advisory lock for migrations. Server instances that start at the same time run the migrations one
 * after another.
 */
const MIGRATION_LOCK = 7_205_001

const fingerprint = (text: string) => new Bun.CryptoHasher('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')

type Run = (statement: string) => Promise<Row[]>

/**
 * Patterns of SQL statements that can break the previous program version.
 * If the previous version still works despite such a statement, the migration starts with the comment `-- previous
 * version works`.
 */
const CONTRACTS = [
  /\b(?:drop(?! index)|rename|truncate)\b/i,
  /set not null|set data type|alter column \S+ type|create or replace function/i,
  /add column (?![^;]*\bdefault\b)[^;]*\bnot null/i,
]
const expands = (text: string) =>
  text.startsWith('-- previous version works') || !CONTRACTS.some((pattern) => pattern.test(text))

export async function appliedMigrations(run: Run): Promise<string[]> {
  const [table] = await run("select to_regclass('schema_migrations') is not null as made")
  if (!table?.made) return []
  return (await run('select name from schema_migrations order by name')).map(({ name }) => String(name))
}

export async function pendingMigrations(run: Run): Promise<string[]> {
  const applied = new Set(await appliedMigrations(run))
  return migrations.map(({ name }) => name).filter((name) => !applied.has(name))
}

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

/**
 * Runs all pending migrations, or only the pending ones in `names`.
 * The database may already have migrations of a newer program version, if these only extend the schema. The previous
 * version can therefore keep running during and after an update.
 * @returns the names of the migrations that ran
 * @throws MigrationError when a newer version has removed or changed parts of the schema, or a migration was edited
 * after it ran
 * @throws MigrationError when the tables belong to another program
 */
export async function applyMigrations(
  run: Run,
  names: string[] = migrations.map(({ name }) => name),
): Promise<string[]> {
  await run(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`)
  await run(
    'create table if not exists schema_migrations (name text primary key, fingerprint text not null, ' +
      'applied_at timestamptz not null default now())',
  )
  await run('alter table schema_migrations add column if not exists expands boolean not null default false')
  const applied = await run('select name, fingerprint, expands from schema_migrations order by name')
  for (const { name, fingerprint: appliedFingerprint, expands: isExpanding } of applied) {
    const migration = migrations.find((migration) => migration.name === name)
    if (!migration && isExpanding) continue
    if (!migration)
      throw new MigrationError(`The database was made by a newer version of Yardmaster (it has the migration ${name})`)
    if (fingerprint(migration.text) !== appliedFingerprint)
      throw new MigrationError(`The migration ${name} was changed after it ran on this database`)
  }
  if (applied.length === 0) await refuseOtherTables(run)
  const appliedNames = new Set(applied.map(({ name }) => name))
  const due = migrations.filter(({ name }) => names.includes(name) && !appliedNames.has(name))
  for (const { name, text } of due) {
    for (const statement of text.split('--> statement-breakpoint')) if (statement.trim()) await run(statement)
    await run(
      `insert into schema_migrations (name, fingerprint, expands)
        values (${literal(name)}, ${literal(fingerprint(text))}, ${expands(text)})`,
    )
  }
  return due.map(({ name }) => name)
}

/**
 * Refuses a database with tables of another program.
 * Before the first migration, a table or view with one of our names belongs to another program.
 * @throws MigrationError with the names of the other program's tables
 */
async function refuseOtherTables(run: Run): Promise<void> {
  const created = migrations.flatMap(({ text }) =>
    [...text.matchAll(/^create table "?(\w+)"?/gim)].map(([, name]) => name),
  )
  const found = await run(
    `select relname as name from pg_class where relnamespace = current_schema()::regnamespace
      and relname in (${created.map((name) => literal(String(name))).join(', ')}) order by 1`,
  )
  if (found.length > 0)
    throw new MigrationError(
      `The database has tables of another program (${found.map(({ name }) => name).join(', ')}); choose an ` +
        `empty database`,
    )
}

export const migrate = (db: Db): Promise<string[]> =>
  db.transaction(async (tx) => {
    // Turn off the time limits. Creating an index on a large table, or waiting for another instance that is migrating
    // the database, can take longer.
    await tx.execute(sql`select set_config('lock_timeout', '0', true), set_config('statement_timeout', '0', true)`)
    return applyMigrations((statement) => rows(tx, sql.raw(statement)))
  })
