import { Elysia } from 'elysia'
import { z } from 'zod'
import { RegistrationForm } from '../../../views/registrations/form'
import { ofUnit, RENEWAL_FIELDS, RenewalTable } from '../../../views/registrations/renewal-table'
import type { FormState } from '../../../views/ui/form-state'
import { accept, acceptForm, checkAll } from '../../platform/accept'
import { signedInPages } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { checkCostAccess } from '../../platform/costs'
import { idParams } from '../../platform/fields'
import { about } from '../../platform/http/about'
import { failed } from '../../platform/http/message'
import { attempt } from '../../platform/http/page'
import { inTurn } from '../../platform/http/turns'
import { selectIds } from '../../platform/lists/bulk/queries'
import { checkChoice, parseChoice } from '../../platform/lists/bulk/rules'
import { skippedText } from '../../platform/lists/bulk/skipped'
import { paths, withQuery } from '../../platform/paths'
import type { Write } from '../../platform/records/transactions'
import { saveAfterWarnings } from '../../platform/records/warnings'
import { Refused } from '../../platform/refusals'
import { locationQueries } from '../places'
import { registrationBulk, renewMany } from './bulk'
import { findRegistration, findRegistrations } from './queries'
import { createRenewal, renewalOf, renewRegistrations } from './renew'
import { checkDates, isLongTerm, LONGEST_YEARS, type RenewalValues, registration, renewalValues } from './rules'
import { registrationWarnings } from './warnings'

const { list, renew, renewTable } = paths.registrations
const TITLE = 'Renew registrations'

const TABLE_LIMIT = 100

/** Ids in a query parameter, separated by spaces or commas. Other text is ignored. */
const idList = z
  .string()
  .max(1500)
  .catch('')
  .transform((text) => text.split(/[ ,]+/).slice(0, TABLE_LIMIT).map(Number).filter(isId))
const isId = (value: number) => Number.isInteger(value) && value > 0 && value < 2 ** 31

/** @throws Refused with the names of the row's input fields, so that each error appears at its input */
async function renewalIn(
  form: Record<string, unknown>,
  { id, unit_number }: { id: number; unit_number: string },
  today: string,
): Promise<RenewalValues> {
  const values = Object.fromEntries(RENEWAL_FIELDS.map((field) => [field, form[`${field}.${id}`] ?? '']))
  const checkExpiry = ({ date_expires }: RenewalValues) => {
    if (date_expires === null) throw Refused.field('date_expires', 'Enter the new expiry date')
    if (date_expires && date_expires < today)
      throw Refused.field('date_expires', 'The new expiry date must not be in the past')
    if (date_expires && isLongTerm(today, date_expires))
      throw Refused.field('date_expires', `More than ${LONGEST_YEARS} years. Renew this registration on its own.`)
  }
  try {
    const renewal = await acceptForm(renewalValues, { ...values, id }, checkExpiry)
    checkExpiry(renewal)
    return renewal
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    throw new Refused(
      (error.errors ?? []).map(({ field, message }) => ({
        field: `${field}.${id}`,
        message: message + ofUnit({ unit_number }),
      })),
    )
  }
}

const messageOf = (
  { id, created, skipped }: Awaited<ReturnType<typeof renewRegistrations>>,
  skippedMessage: string,
) => ({
  text: `${created.length} renewed${skippedMessage || '; papers pending'}`,
  left: skipped.map((registration) => registration.id),
  ...(created.length ? { undo: paths.bulk.undo(id) } : { tone: 'danger' as const }),
})

export const renewalPages = (ctx: AppContext) => {
  const { db, clock } = ctx
  const renewForm = async (id: number, form: FormState) => (
    <RegistrationForm isNew isRenewal action={renew(id)} form={form} locations={await locationQueries.active(db)} />
  )

  return new Elysia()
    .use(signedInPages(ctx))
    .post(
      paths.registrations.renewMany,
      async ({ body, write, user, redirect, back }) => {
        const { value, refusal } = await attempt(async () => {
          const choice = accept(renewMany, parseChoice(body))
          checkCostAccess(user, choice.filters ?? {})
          return inTurn(ctx, write, (write) => renewRegistrations(write, choice, true))
        })
        if (refusal) return redirect(back(list), failed(refusal.errors?.[0]?.message ?? refusal.message))
        return redirect(back(list), messageOf(value, await skippedText(db, clock, findRegistration, value.skipped)))
      },
      { detail: about({ summary: 'Renew the selected registrations', failure: 'Failed to renew registrations' }) },
    )
    .get(
      renewTable,
      async ({ query, page, redirect, back }) => {
        const rows = await findRegistrations(db, clock, query.ids)
        if (rows.length === 0)
          return redirect(
            list,
            failed(
              query.ids.length > 0 ? 'The selected registrations no longer exist' : 'Choose the registrations to renew',
            ),
          )
        const values = rows.map((row) => [`date_expires.${row.id}`, renewalOf(row, clock.today()).date_expires])
        const state = { values: Object.fromEntries(values), back: back(list) }
        return page(TITLE, <RenewalTable rows={rows} form={state} />)
      },
      {
        query: z.object({ ids: idList }),
        detail: about({
          summary: 'Form for renewing several registrations',
          failure: 'Failed to load dropdown data',
        }),
      },
    )
    .post(
      renewTable,
      async ({ body, form, write, user, redirect, back, submit }) => {
        const { value: ids, refusal } = await attempt(async () => {
          const choice = accept(renewMany, parseChoice(body))
          checkCostAccess(user, choice.filters ?? {})
          checkChoice(registrationBulk, choice)
          // Use `choice.ids` if given, because they are in the order of the list that the user saw.
          return choice.ids ?? selectIds(db, clock, registrationBulk, choice, TABLE_LIMIT)
        })
        if (refusal) return redirect(back(list), failed(refusal.errors?.[0]?.message ?? refusal.message))
        if (ids.length > TABLE_LIMIT) return redirect(back(list), failed(`At most ${TABLE_LIMIT} at once`))
        if (!form.save) return redirect(withQuery(renewTable, { ids: ids.join(' ') }))
        const rows = await findRegistrations(db, clock, ids)
        return submit({
          title: TITLE,
          show: (state) => <RenewalTable rows={rows} form={state} />,
          save: async () => {
            const values = await checkAll(...rows.map((row) => () => renewalIn(form, row, clock.today())))
            const choice = { ids: rows.map(({ id }) => id), values }
            const renewed = await inTurn(ctx, write, (write) => renewRegistrations(write, choice, true))
            return { renewed, skippedMessage: await skippedText(db, clock, findRegistration, renewed.skipped) }
          },
          done: (result) => redirect(back(list), messageOf(result.renewed, result.skippedMessage)),
        })
      },
      {
        detail: about({
          summary: 'Renew the selected registrations and enter their costs',
          failure: 'Failed to renew registrations',
        }),
      },
    )
    .get(
      renew.pattern,
      async ({ params, page, back }) => {
        const old = await findRegistration(db, clock, params.id)
        return page(
          'Renew registration',
          await renewForm(old.id, { values: renewalOf(old, clock.today()), back: back(list) }),
        )
      },
      { params: idParams, detail: about({ summary: 'Renew a registration', failure: 'Failed to load dropdown data' }) },
    )
    .post(
      renew.pattern,
      ({ params, form, write, submit, redirect, back }) =>
        submit({
          title: 'Renew registration',
          show: (state) => renewForm(params.id, state),
          async save() {
            const values = await acceptForm(registration, form, checkDates)
            const warnings = await registrationWarnings(db, clock, values)
            const save = (write: Write) => createRenewal(write, values)
            return saveAfterWarnings(write, warnings, form, save, async () => checkDates(values))
          },
          done: ({ id, created }) =>
            redirect(back(list), {
              text: `Registration of unit ${created.unit_number} renewed`,
              made: created.id,
              undo: paths.bulk.undo(id),
            }),
        }),
      { params: idParams, detail: about({ summary: 'Save a renewal', failure: 'Failed to renew registration' }) },
    )
}
