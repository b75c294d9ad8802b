import { Elysia } from 'elysia'
import { z } from 'zod'
import type { DataType } from '../../../db/vocabulary'
import { type GridColumn, GridPage } from '../../../views/imports/grid-page'
import { errorOf, type FormState } from '../../../views/ui/form-state'
import { acceptLeniently } from '../accept'
import { signedInPages } from '../auth/guard'
import type { AppContext } from '../context'
import { fieldLabel } from '../field-label'
import { idParams, optionalCount, requiredChoiceOf, yesNo } from '../fields'
import { about } from '../http/about'
import { kinds } from '../kinds'
import { paths, withQuery } from '../paths'
import { Conflict } from '../refusals'
import { beginImport, CHANGED, replaceImport } from './begin'
import { cellName, FIRST_ROW, GRID_ROWS } from './cell-names'
import { findFixable } from './fixes'
import { type GridRow, gridFile, gridRows } from './grid'
import { fieldsOf, importKind } from './kinds'
import { headingOf } from './parse/headings'
import { dataTypeIn } from './pasted'
import { findUpload, type Upload } from './queries'
import { checkReader, mustReadImport } from './readers'
import { listFailedRows, listRowsToFix } from './rows'

const BLANK_ROWS = 15
const NO_FILE = { fields: [], header: [] }

const gridQuery = z.object({ rows: optionalCount(GRID_ROWS) })
const fixQuery = z.object({ after: optionalCount(10_000_000) })
const fixedUpload = z.object({
  mends: requiredChoiceOf('Must be the id of an import').optional(),
  /** True if the table contains all rows of a previewed import. The rows then replace the import. */
  whole: yesNo(false),
})

export const gridPages = (ctx: AppContext) => {
  const { db } = ctx
  const columnsOf = async (dataType: DataType): Promise<GridColumn[]> => {
    const [locations, companies] = await Promise.all([
      kinds('places').location.active(db),
      kinds('places').company.active(db),
    ])
    const choices = {
      location: locations.map(({ location_code, location_name }) => ({ value: location_code, label: location_name })),
      company: companies.map(({ company_name }) => ({ value: company_name })),
      flag: [{ value: 'Yes' }, { value: 'No' }],
    }
    return importKind(dataType).columns.map(({ name, kind, isRequired, words }) => ({
      name,
      label: fieldLabel(name),
      kind,
      isRequired,
      choices: words?.map((value) => ({ value })) ?? choices[kind as keyof typeof choices],
    }))
  }
  const readQuery = (form: Record<string, unknown>) => {
    return { dataType: dataTypeIn(form), ...acceptLeniently(fixedUpload, form) }
  }
  const blank = (fields: string[], rows: number): GridRow[] =>
    Array.from({ length: Math.max(rows, BLANK_ROWS) }, (_, at) => ({
      row: at + FIRST_ROW,
      cells: Object.fromEntries(fields.map((field) => [field, ''])),
    }))
  const screen = async (
    dataType: DataType,
    rows: GridRow[],
    form: FormState,
    {
      upload,
      isWhole = false,
      more,
    }: { upload?: Upload | undefined; isWhole?: boolean; more?: string | undefined } = {},
  ) => (
    <GridPage
      dataType={dataType}
      columns={(await columnsOf(dataType))
        .filter(({ name }) => rows[0]?.cells[name] !== undefined)
        .map((column) => ({ ...column, label: headingOf(upload?.found ?? NO_FILE, column.name) }))}
      rows={rows.map((row) => ({
        ...row,
        message: row.message ?? fieldsOf(dataType).flatMap((name) => errorOf(form, cellName(row.row, name)) ?? [])[0],
      }))}
      form={form}
      upload={upload}
      isWhole={isWhole}
      more={more}
    />
  )
  return new Elysia()
    .use(signedInPages(ctx))
    .onBeforeHandle(checkReader(db))
    .get(
      paths.files.grid,
      async ({ query, page }) => {
        const dataType = dataTypeIn(query)
        const { rows } = acceptLeniently(gridQuery, query)
        return page('Type rows', await screen(dataType, blank(fieldsOf(dataType), rows ?? 0), { values: {} }))
      },
      { detail: about({ summary: 'Type rows in a table instead of uploading a file' }) },
    )
    .get(
      paths.files.mend.pattern,
      async ({ params: { id }, query, page, redirect }) => {
        // After the rows were corrected, Back leads here. The page of the import has a link to the corrected rows.
        if ((await findUpload(db, id)).status === 'cancelled') return redirect(paths.files.import(id))
        const { upload, isWhole } = await findFixable(db, id)
        if (isWhole)
          return page(
            'Fix rows',
            await screen(upload.data_type, await listRowsToFix(db, upload), { values: {} }, { upload, isWhole }),
          )
        const { after } = acceptLeniently(fixQuery, query)
        const failed = await listFailedRows(db, upload, after ?? 0, GRID_ROWS + 1)
        if (failed.length === 0) return redirect(paths.files.import(id), 'This import has no failed rows')
        const rows = failed.slice(0, GRID_ROWS)
        const more =
          failed.length > GRID_ROWS ? withQuery(paths.files.mend(id), { after: rows.at(-1)?.row ?? 0 }) : undefined
        return page('Fix rows', await screen(upload.data_type, rows, { values: {} }, { upload, more }))
      },
      {
        params: idParams,
        detail: about({ summary: 'Fix the rows of an import by editing them in a table', what: 'Upload' }),
      },
    )
    .post(
      paths.files.grid,
      async ({ form, write, user, redirect, submit }) => {
        const { dataType, mends, whole } = readQuery(form)
        if (mends) await mustReadImport(db, mends, user)
        return submit({
          title: mends ? 'Fix rows' : 'Type rows',
          show: async (state) =>
            screen(dataType, submittedRows(form, dataType), state, {
              upload: mends ? await findUpload(db, mends) : undefined,
              isWhole: whole,
            }),
          async save() {
            const fixed = mends ? await findFixable(db, mends) : undefined
            if (whole !== (fixed?.isWhole ?? false) || (whole && fixed?.upload.data_type !== dataType))
              throw new Conflict(CHANGED)
            const name = fixed ? fixedName(fixed.upload.file_name) : 'Typed rows.csv'
            const corrected = {
              data_type: dataType,
              existing: fixed?.upload.existing,
              mends: whole ? undefined : fixed?.upload.id,
              file: gridFile(dataType, name, gridRows(form, dataType)),
              commit: 'false',
            }
            return whole && mends ? replaceImport(ctx, write, mends, corrected) : beginImport(ctx, write, corrected)
          },
          done: ({ id }) => redirect(paths.files.import(id)),
        })
      },
      { detail: about({ summary: 'Preview typed rows' }) },
    )
}

/**
 * Returns a file name for the corrected rows of an import.
 * Both `March.xlsx` and `March (fixed).csv` become `March (fixed).csv`.
 */
const fixedName = (file: string) => `${file.replace(/\.[a-z]{1,4}$/i, '').replace(/ \(fixed\)$/, '')} (fixed).csv`

/** Returns the submitted rows, or none if there are too many. */
function submittedRows(form: Record<string, unknown>, dataType: DataType): GridRow[] {
  try {
    return gridRows(form, dataType)
  } catch {
    return []
  }
}
