import { Elysia } from 'elysia'
import type { Scan } from '../../../db/vocabulary'
import { ScanPage } from '../../../views/scan/scan-page'
import type { FormState } from '../../../views/ui/form-state'
import { accept, acceptLeniently } from '../../platform/accept'
import { signedInPages } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { about } from '../../platform/http/about'
import { paths, withQuery } from '../../platform/paths'
import { lastScanned, scanUnit } from './queries'
import { scan, scanning } from './rules'

const { scan: at } = paths

const SAID: Record<Scan, (unit: string) => string> = {
  delivered: (unit) => `Unit ${unit} is delivered`,
  received: (unit) => `The papers of unit ${unit} are received`,
  transferred: (unit) => `The title of unit ${unit} is transferred`,
}

export const scanPages = (ctx: AppContext) => {
  const { db, clock } = ctx
  const scanPage = async (username: string, form: FormState) => {
    const { as } = acceptLeniently(scanning, form.values)
    return <ScanPage as={as} form={form} done={await lastScanned(db, username, as)} />
  }
  return new Elysia()
    .use(signedInPages(ctx))
    .get(
      at,
      async ({ query, user, page }) => {
        const { as, on } = acceptLeniently(scanning, query)
        return page('Scan Units', await scanPage(user.username, { values: { as, on: on ?? clock.today() } }))
      },
      { detail: about({ summary: 'Do the same to unit after unit' }) },
    )
    .post(
      at,
      ({ form, user, actor, redirect, submit }) =>
        submit({
          title: 'Scan Units',
          show: (form) => scanPage(user.username, form),
          save: () => scanUnit(db, actor, clock, accept(scan, form)),
          done: ({ id, as, unit_number, text }) =>
            redirect(withQuery(at, { as, on: String(form.on ?? '') }), {
              text: `${SAID[as](unit_number)}: ${text}`,
              undo: paths.bulk.undo(id),
            }),
        }),
      { detail: about({ summary: 'Do it to one unit' }) },
    )
}
