import { Elysia } from 'elysia'
import type { z } from 'zod'
import { ActiveOslPage } from '../../../views/osl/active-page'
import { CompletedOslPage } from '../../../views/osl/completed-page'
import { OslForm } from '../../../views/osl/form'
import { isFollowed } from '../../../views/ui/form'
import type { FormState } from '../../../views/ui/form-state'
import { acceptChange, acceptForm, acceptLeniently } from '../../platform/accept'
import { activeUsernames } from '../../platform/auth/accounts'
import { signedInPages } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { idParams } from '../../platform/fields'
import { about } from '../../platform/http/about'
import { metaOf } from '../../platform/http/answers'
import { attempt } from '../../platform/http/page'
import { deletionPages } from '../../platform/lists/deletion-pages'
import { loadFilterNames } from '../../platform/lists/layouts/filter-names'
import { paths } from '../../platform/paths'
import type { Write } from '../../platform/records/transactions'
import { inWords, saveAfterWarnings } from '../../platform/records/warnings'
import { locationQueries, vendorQueries } from '../places'
import { oslEntryPages } from './entry-pages'
import {
  createOslEntry,
  prepareOslChange,
  prepareOslEntry,
  removeOslEntry,
  restoreOslEntry,
  updateOslEntry,
} from './mutations'
import { findOslEntry, type NewOslEntry, type OslFilters, oslListings, totalStorageFees } from './queries'
import { completedOslFilters, completedPeriod, lastMonth, oslChange, oslEntry, oslFilters } from './rules'
import { oslChangeWarnings, oslWarnings } from './warnings'

const { active, completed, create, edit, remove, restore, show } = paths.osl

/**
 * Gives a new OSL entry the storage terms of its vendor. An OSL entry is an out-of-service period. An unticked checkbox
 * for storage fees would be stored as `false`, which makes storage free. So if the entry has a vendor but no daily
 * rate, this function leaves the unticked checkbox out of the values.
 */
const withVendorsTerms = (values: z.output<typeof oslEntry>, form: Record<string, unknown>) =>
  // If `terms_shown` is 1, the script of the page has filled in the vendor's terms, and the user has seen them. In this
  // case, store the values of the form unchanged.
  form.terms_shown !== '1' && values.vendor_id && values.storage_fee_daily_rate === null
    ? { ...values, storage_fees_applicable: values.storage_fees_applicable || undefined }
    : values

/**
 * True if the list has no filters. The page shows the total storage fees only in this case, because the total ignores
 * filters.
 */
const isWhole = ({ page: _, per_page: __, gone: ___, sort: ____, order: _____, ...narrowing }: OslFilters) =>
  Object.values(narrowing).every((value) => value === null || value === undefined || value === '')

export const oslPages = (ctx: AppContext) => {
  const { db, clock } = ctx
  const choices = async () => {
    const [locations, vendors, usernames] = await Promise.all([
      locationQueries.active(db),
      vendorQueries.active(db),
      activeUsernames(db),
    ])
    return { locations, vendors, usernames }
  }
  const newForm = async (form: FormState) => (
    <OslForm isNew title="New OSL Entry" action={create} form={form} {...(await choices())} />
  )
  const editForm = async (id: number, form: FormState) => (
    <OslForm isNew={false} title="Edit OSL entry" action={edit(id)} form={form} {...(await choices())} />
  )

  return new Elysia()
    .use(signedInPages(ctx))
    .get(
      active,
      async ({ query, page, user }) => {
        // Show the oldest OSL entries first, because they cost the most.
        const filters = acceptLeniently(oslFilters, { sort: 'osl_date', order: 'asc', ...query })
        const [{ lines, total }, feesTotal, names] = await Promise.all([
          oslListings.active(db, clock, filters).lines(),
          user.role === 'admin' && isWhole(filters) ? totalStorageFees(db, clock) : null,
          loadFilterNames(db, filters),
        ])
        return page(
          'Active OSL',
          <ActiveOslPage
            {...{ lines, feesTotal, names }}
            query={filters}
            meta={metaOf(filters, total)}
            username={user.username}
          />,
        )
      },
      { detail: about({ summary: 'Active OSL' }) },
    )
    .get(
      create,
      async ({ query, page }) => {
        const values = {
          osl_date: clock.today(),
          status: 'Out of Service',
          unit_number: query.unit_number ?? '',
        }
        return page('New OSL Entry', await newForm({ values }))
      },
      {
        detail: about({ summary: 'New OSL Entry', failure: 'Failed to load dropdown data' }),
      },
    )
    .post(
      create,
      ({ form, write, redirect, submit }) =>
        submit({
          title: 'New OSL Entry',
          show: newForm,
          async save() {
            const prepare = (entry: NewOslEntry) => prepareOslEntry(write, withVendorsTerms(entry, form))
            const values = withVendorsTerms(await acceptForm(oslEntry, form, prepare), form)
            const warnings = await oslWarnings(db, clock, values)
            const save = (write: Write) => createOslEntry(write, values)
            return saveAfterWarnings(write, warnings, form, save, (write) => prepareOslEntry(write, values))
          },
          done: ({ id }) =>
            redirect(isFollowed(form) ? create : active, { text: 'OSL entry created successfully!', made: id }),
        }),
      { detail: about({ summary: 'Create an OSL entry', failure: 'Failed to create OSL entry' }) },
    )
    .get(
      completed,
      async ({ query, page }) => {
        const isSearched = ['search', 'start_date', 'end_date'].some((name) => query[name])
        const filters = acceptLeniently(completedOslFilters, {
          ...query,
          ...(isSearched ? {} : lastMonth(clock.today())),
        })
        const formQuery = { ...filters, start_date: filters.start_date ?? '', end_date: filters.end_date ?? '' }
        const nothing = (refusal: string) => (
          <CompletedOslPage lines={[]} query={formQuery} meta={metaOf(filters, 0)} refusal={refusal} />
        )
        const { value: period, refusal } = await attempt(async () => completedPeriod(filters))
        if (refusal) return page('Completed OSL Logs', nothing(refusal.message), refusal.status)
        const { lines, total } = await oslListings.completed(db, clock, { ...filters, ...period }).lines()
        return page(
          'Completed OSL Logs',
          <CompletedOslPage lines={lines} query={formQuery} meta={metaOf(filters, total)} />,
        )
      },
      { detail: about({ summary: 'Completed OSL Logs' }) },
    )
    .get(
      edit.pattern,
      async ({ params, page, back }) =>
        page(
          'Edit OSL entry',
          await editForm(params.id, { values: await findOslEntry(db, clock, params.id), back: back(show(params.id)) }),
        ),
      { params: idParams, detail: about({ summary: 'Edit an OSL entry', failure: 'Failed to load dropdown data' }) },
    )
    .post(
      edit.pattern,
      ({ params, form, write, redirect, back, submit }) =>
        submit({
          title: 'Edit OSL entry',
          show: (form) => editForm(params.id, form),
          async save() {
            const stored = await findOslEntry(db, clock, params.id)
            const rules = { changes: oslChange, rules: oslEntry }
            const check = (values: NewOslEntry) => prepareOslChange(write, stored, values)
            const { version, ...change } = await acceptChange(rules, form, check)
            const warnings = await oslChangeWarnings(db, clock, params.id, change)
            return saveAfterWarnings(write, warnings, form, (write) =>
              updateOslEntry(write, params.id, version, change),
            )
          },
          done: ({ id }) => redirect(back(show(id)), { text: 'OSL entry updated successfully!', row: id }),
        }),
      { detail: about({ summary: 'Save an OSL entry' }), params: idParams },
    )
    .use(oslEntryPages(ctx))
    .use(
      deletionPages(ctx, {
        what: 'an OSL entry',
        paths: { remove, restore, own: [show, edit] },
        find: (id) => findOslEntry(db, clock, id),
        remove: removeOslEntry,
        restore: restoreOslEntry,
        listOf: () => active,
        describe: (record) => (
          <>
            Unit <strong>{record.unit_number}</strong> at {record.location_name} since {inWords(record.osl_date)}, with
            its notes.
          </>
        ),
      }),
    )
}
