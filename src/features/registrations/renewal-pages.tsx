import { Elysia } from 'elysia'
import { RegistrationForm } from '../../../views/registrations/form'
import { RENEWAL_FIELDS, RenewalTable } from '../../../views/registrations/renewal-table'
import type { FormState } from '../../../views/ui/form-state'
import { accept } from '../../platform/accept'
import { signedInPages } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { checkCostAccess } from '../../platform/costs'
import { idParams } from '../../platform/fields'
import { about } from '../../platform/http/about'
import { failed } from '../../platform/http/message'
import { attempt } from '../../platform/http/page'
import { selectIds } from '../../platform/lists/bulk/queries'
import { checkChoice, parseChoice } from '../../platform/lists/bulk/rules'
import { skippedText } from '../../platform/lists/bulk/skipped'
import { paths } from '../../platform/paths'
import { acceptingWarnings } from '../../platform/records/warnings'
import { Refused } from '../../platform/refusals'
import { locationQueries } from '../places'
import { registrationBulk, renewMany } from './bulk'
import { createRegistration } from './mutations'
import { findRegistration } from './queries'
import { renewalOf, renewRegistrations } from './renew'
import { type RenewalValues, registration, renewalValues } from './rules'
import { registrationWarnings } from './warnings'

const { list, renew } = paths.registrations

/** Maximum number of registrations that a user can renew at once in the table of renewals. */
const TABLE_LIMIT = 100

/**
 * Reads one row of the form in which users enter several renewals.
 * @throws Refused with the names of the row's input fields, so that each error appears at its input
 */
function renewalIn(form: Record<string, unknown>, { id }: { id: number }, today: string): RenewalValues {
  const values = Object.fromEntries(RENEWAL_FIELDS.map((field) => [field, form[`${field}.${id}`] ?? '']))
  try {
    const renewal = accept(renewalValues, { ...values, id })
    if (renewal.date_expires && renewal.date_expires < today)
      throw Refused.field('date_expires', 'The new expiry must not be in the past')
    return renewal
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    throw new Refused((error.errors ?? []).map(({ field, message }) => ({ field: `${field}.${id}`, message })))
  }
}

const messageOf = (
  { id, created, skipped }: Awaited<ReturnType<typeof renewRegistrations>>,
  skippedMessage: string,
) => ({
  text: `${created.length} renewed${skippedMessage || '; their papers are pending'}`,
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
          return renewRegistrations(write, choice, true)
        })
        if (refusal) return redirect(back(list), failed(refusal.errors?.[0]?.message ?? refusal.message))
        return redirect(back(list), messageOf(value, await skippedText(db, clock, findRegistration, value.skipped)))
      },
      { detail: about({ summary: 'Renew the selected registrations', failure: 'Failed to add registration' }) },
    )
    .post(
      paths.registrations.renewTable,
      async ({ body, form, write, user, page, redirect, back, submit }) => {
        const title = 'Renew registrations'
        const { value: rows, refusal } = await attempt(async () => {
          const choice = accept(renewMany, parseChoice(body))
          checkCostAccess(user, choice.filters ?? {})
          checkChoice(registrationBulk, choice)
          const ids = await selectIds(db, clock, registrationBulk, choice, TABLE_LIMIT)
          return Promise.all(ids.map((id) => findRegistration(db, clock, id)))
        })
        if (refusal) return redirect(back(list), failed(refusal.errors?.[0]?.message ?? refusal.message))
        if (!form.save) {
          const values = rows.map((row) => [`date_expires.${row.id}`, renewalOf(row, clock.today()).date_expires])
          const state = { values: Object.fromEntries(values), back: back(list) }
          return page(title, <RenewalTable rows={rows} form={state} />)
        }
        return submit({
          title,
          show: (state) => <RenewalTable rows={rows} form={state} />,
          save: async () => {
            const values = rows.map((row) => renewalIn(form, row, clock.today()))
            const renewed = await renewRegistrations(write, { ids: rows.map(({ id }) => id), values }, true)
            return { renewed, skippedMessage: await skippedText(db, clock, findRegistration, renewed.skipped) }
          },
          done: (result) => redirect(back(list), messageOf(result.renewed, result.skippedMessage)),
        })
      },
      {
        detail: about({
          summary: 'Renew the selected registrations and enter their costs',
          failure: 'Failed to add registration',
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
            const values = accept(registration, form)
            const warnings = await registrationWarnings(db, clock, values)
            return createRegistration(acceptingWarnings(write, warnings, form), values)
          },
          done: ({ id, unit_number }) =>
            redirect(back(list), { text: `Registration of unit ${unit_number} renewed`, made: id }),
        }),
      { params: idParams, detail: about({ summary: 'Save a renewal', failure: 'Failed to add registration' }) },
    )
}
