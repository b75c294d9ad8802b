import { Elysia } from 'elysia'
import type { DataType } from '../../../db/vocabulary'
import { PastePage } from '../../../views/imports/paste-page'
import { locationOptions } from '../../../views/places/options'
import { type Option, optionsOf } from '../../../views/ui/fields'
import type { FormState } from '../../../views/ui/form-state'
import { accept } from '../accept'
import { signedInPages } from '../auth/guard'
import type { AppContext } from '../context'
import { fieldLabel } from '../field-label'
import { about } from '../http/about'
import { kinds } from '../kinds'
import { paths } from '../paths'
import { beginImport } from './begin'
import type { ImportColumn } from './kind'
import { fieldsOf } from './kinds'
import { dataTypeIn, everyColumns, everyIn, everyName, notImported, pastedFile, pastedRows } from './pasted'

export const pastePages = (ctx: AppContext) => {
  const { db } = ctx
  // In the selection fields of the form, the values are codes and names instead of ids, because they become cells of
  // the imported file.
  const choices = async () => {
    const [locations, companies] = await Promise.all([
      kinds('places').location.active(db),
      kinds('places').company.active(db),
    ])
    const places = locationOptions(locations).map(({ label }, at) => ({ value: locations[at]!.location_code, label }))
    const companyNames = companies.map(({ company_name }) => company_name)
    return ({ kind, words }: ImportColumn): Option[] | undefined =>
      kind === 'location' ? places : kind === 'company' ? optionsOf(companyNames) : words && optionsOf(words)
  }
  const screen = async (dataType: DataType, form: FormState) => {
    const optionsFor = await choices()
    return (
      <PastePage
        dataType={dataType}
        order={fieldsOf(dataType).map(fieldLabel)}
        form={form}
        every={everyColumns(dataType).map((column) => ({
          name: everyName(column.name),
          label: fieldLabel(column.name),
          kind: column.kind,
          options: optionsFor(column),
        }))}
        others={Object.entries(everyIn(form.values)).flatMap(([column, value]) =>
          fieldsOf(dataType).includes(column) && !everyColumns(dataType).some(({ name }) => name === column)
            ? [[everyName(column), value]]
            : [],
        )}
      />
    )
  }
  return new Elysia()
    .use(signedInPages(ctx))
    .get(
      paths.files.paste,
      async ({ query, page }) => page('Paste rows', await screen(dataTypeIn(query), { values: query })),
      { detail: about({ summary: 'Paste rows from a spreadsheet' }) },
    )
    .post(
      paths.files.paste,
      ({ form, write, redirect, submit }) =>
        submit({
          title: 'Paste rows',
          show: (state) => screen(dataTypeIn(form), state),
          async save() {
            const values = accept(pastedRows, form)
            const file = await pastedFile(values, everyIn(form))
            return beginImport(ctx, write, { data_type: values.data_type, file, commit: 'false' })
          },
          done: ({ id }) => {
            const labels = notImported(form, dataTypeIn(form))
            const message = `Not part of an import: ${labels.join(', ')}. Add these values afterwards.`
            return redirect(paths.files.import(id), labels.length > 0 ? message : undefined)
          },
        }),
      { detail: about({ summary: 'Preview pasted rows' }) },
    )
}
