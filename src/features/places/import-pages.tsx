import { Elysia } from 'elysia'
import Papa from 'papaparse'
import { headingField, MasterImportPage } from '../../../views/places/import-page'
import type { FormState } from '../../../views/ui/form-state'
import { signedInPages } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { about } from '../../platform/http/about'
import { CSV } from '../../platform/http/shapes'
import { inTurn } from '../../platform/http/turns'
import type { RecordPaths } from '../../platform/paths'
import type { MasterItem } from '../../platform/records/master-data/queries'
import { Refused } from '../../platform/refusals'
import { countOutcomes, importRows, type PlannedRow, previewRows } from './import-rows'
import {
  linesOf,
  type MasterImportColumn,
  type Table,
  tableOfFile,
  tableOfText,
  textOf,
  unplacedColumns,
  withChosen,
} from './import-table'
import type { MasterPages } from './master-data-pages'

type Form = Record<string, unknown>

function importMessage(rows: PlannedRow[], noun: string, many: string): string {
  const { create, update, duplicate, error } = countOutcomes(rows)
  const parts = [`${create} ${create === 1 ? noun.toLowerCase() : many} imported`]
  if (update) parts.push(`${update} updated`)
  if (duplicate) parts.push(`${duplicate} skipped`)
  if (error) parts.push(`${error} not imported`)
  return parts.join(', ')
}

/**
 * Hash of the rows that the user has previewed. If the user edits the rows, the hash differs, and the rows are
 * previewed again before they are written.
 */
const markOf = (rows: unknown, update: unknown) =>
  new Bun.CryptoHasher('sha256')
    .update(JSON.stringify([String(rows).replaceAll('\r\n', '\n'), update === 'true']))
    .digest('hex')
    .slice(0, 16)

const CHANGED_SINCE = 'Rows changed. Review the updated preview.'

/** Returns only the rows with errors, with new row numbers. The form now shows only these rows. */
function leftOut(table: Table, rows: PlannedRow[]): { table: Table; rows: PlannedRow[] } {
  const errorRows = rows.filter(({ outcome }) => outcome === 'error')
  const ids = new Set(errorRows.map(({ row }) => row))
  const lines = table.lines.filter(({ row }) => ids.has(row))
  return { table: { ...table, lines }, rows: errorRows.map((row, at) => ({ ...row, row: at + 2 })) }
}

/**
 * Reads the uploaded file or, without a file, the pasted rows.
 * @throws Refused when there are no rows, or when the file is unreadable
 */
async function tableIn(
  { log }: AppContext,
  account: string | null,
  form: Form,
  columns: MasterImportColumn[],
): Promise<Table> {
  const { file, rows } = form
  if (file instanceof Blob && file.size > 0) {
    // Convert the rows of the file to text, so that the user can correct them in the form.
    const table = await tableOfFile({ log, account }, file, columns)
    return { ...tableOfText(textOf(table), columns), remarks: table.remarks ?? [] }
  }
  if (typeof rows !== 'string' || rows.trim() === '') throw Refused.field('rows', 'Paste some rows or choose a file')
  return withChosen(tableOfText(rows, columns), columns, (at) => form[headingField(at)])
}

/**
 * Pages that import locations, companies or vendors after a preview. After the import, the form contains only the rows
 * with errors, so that the user can correct them.
 */
export function importPages<Item extends MasterItem>(ctx: AppContext, config: MasterPages<Item>) {
  const { db } = ctx
  const { queries, rules, noun, many, columns } = config
  const paths: RecordPaths = config.paths
  const title = `Import ${many}`
  const screen = (form: FormState, preview?: Parameters<typeof MasterImportPage>[0]['preview']) => (
    <MasterImportPage {...{ title, form, columns, preview, many }} paths={paths} noun={noun.toLowerCase()} />
  )
  return new Elysia({ detail: about({ role: 'admin' }) })
    .use(signedInPages(ctx))
    .get(paths.import, ({ page }) => page(title, screen({ values: {} })), {
      detail: about({ summary: `Import ${many}` }),
    })
    .post(
      paths.import,
      ({ form, write, page, redirect, submit }) => {
        const existing = form.update === 'true' ? 'update' : 'skip'
        const hasFile = form.file instanceof Blob && form.file.size > 0
        const isChosen = Object.keys(form).some((name) => name.startsWith(headingField('')) && form[name])
        return submit({
          title,
          values: { rows: form.rows, update: form.update },
          show: (state) => screen(state),
          async save() {
            const table = await tableIn(ctx, write.actor.username, form, columns)
            const lines = linesOf(table, columns)
            // Write only rows that the user has previewed. If the rows have changed, show a new preview instead, even
            // if the user pressed the import button.
            const isSeen = !hasFile && !isChosen && form.seen === markOf(form.rows, form.update)
            const isWritten = Boolean(form.commit) && isSeen
            const rows = await inTurn(ctx, write, (write) =>
              isWritten
                ? importRows(write, { queries, rules }, lines, existing)
                : previewRows(db, { queries, rules }, lines, existing),
            )
            return { table, rows, isWritten }
          },
          done({ table, rows, isWritten }) {
            const words = importMessage(rows, noun, many)
            if (isWritten && rows.every(({ outcome }) => outcome !== 'error')) return redirect(paths.list, words)
            const remaining = isWritten ? leftOut(table, rows) : { table, rows }
            const text = hasFile || isChosen || isWritten ? textOf(remaining.table) : form.rows
            const values = { rows: text, update: form.update, seen: markOf(text, form.update) }
            const isAgain = Boolean(form.commit) && !isWritten && !hasFile
            const lines = linesOf(remaining.table, columns)
            const preview = {
              rows: remaining.rows.map((row, at) => ({
                ...row,
                values: { ...(row.outcome === 'create' ? lines[at]?.unticked : {}), ...lines[at]?.values },
              })),
              ...unplacedColumns(table, columns),
              remarks: table.remarks ?? [],
              isDone: isWritten,
              message: isWritten ? words : isAgain ? CHANGED_SINCE : undefined,
            }
            return page(title, screen({ values }, preview))
          },
        })
      },
      { detail: about({ summary: `Preview or import ${many}`, upload: {} }) },
    )
    .get(
      paths.sample,
      () => {
        const rows = [0, 1].map((at) => columns.map(({ sample }) => sample[at]))
        const text = Papa.unparse([columns.map(({ field }) => field), ...rows])
        const name = `yardmaster-sample-${many.replaceAll(' ', '-')}.csv`
        return new Response(text, {
          headers: { 'content-type': CSV, 'content-disposition': `attachment; filename="${name}"` },
        })
      },
      { detail: about({ summary: `Sample spreadsheet for ${many}` }) },
    )
}
