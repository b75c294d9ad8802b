import { Elysia } from 'elysia'
import { RegistrationForm } from '../../../views/registrations/form'
import type { FormState } from '../../../views/ui/form-state'
import { accept } from '../../platform/accept'
import { signedInPages } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { checkCostAccess } from '../../platform/costs'
import { idParams } from '../../platform/fields'
import { about } from '../../platform/http/about'
import { failed } from '../../platform/http/message'
import { attempt } from '../../platform/http/page'
import { parseChoice } from '../../platform/lists/bulk/rules'
import { skippedText } from '../../platform/lists/bulk/skipped'
import { paths } from '../../platform/paths'
import { acceptingWarnings } from '../../platform/records/warnings'
import { locationQueries } from '../places'
import { renewMany } from './bulk'
import { createRegistration } from './mutations'
import { findRegistration } from './queries'
import { renewalOf, renewRegistrations } from './renew'
import { registration } from './rules'
import { registrationWarnings } from './warnings'

const { list, renew } = paths.registrations

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
        const { created, skipped } = value
        const skippedMessage = await skippedText(db, clock, findRegistration, skipped)
        return redirect(back(list), {
          text: `${created.length} renewed${skippedMessage || '; their papers are pending'}`,
          left: skipped.map(({ id }) => id),
          ...(created.length ? { undo: paths.bulk.undo(value.id) } : { tone: 'danger' as const }),
        })
      },
      { detail: about({ summary: 'Renew the selected registrations', failure: 'Failed to add registration' }) },
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
