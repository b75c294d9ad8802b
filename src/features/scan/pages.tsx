import { Elysia } from 'elysia'
import { ScanPage } from '../../../views/scan/scan-page'
import type { FormState } from '../../../views/ui/form-state'
import { accept, acceptLeniently } from '../../platform/accept'
import { signedInPages } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { about } from '../../platform/http/about'
import { paths, withQuery } from '../../platform/paths'
import { findScanRule, lastScanned, scans, scanUnit } from './queries'
import { scan, scanning } from './rules'

const { scan: at } = paths

export const scanPages = (ctx: AppContext) => {
  const { db, clock } = ctx
  const scanPage = async (username: string, form: FormState) => {
    const { as } = acceptLeniently(scanning, form.values)
    return <ScanPage as={as} form={form} scans={scans()} done={await lastScanned(db, clock, username, as)} />
  }
  return new Elysia()
    .use(signedInPages(ctx))
    .get(
      at,
      async ({ query, user, page }) => {
        const { as, on } = acceptLeniently(scanning, query)
        return page('Scan Units', await scanPage(user.username, { values: { as, on: on ?? clock.today() } }))
      },
      { detail: about({ summary: 'Scan units one after another' }) },
    )
    .post(
      at,
      ({ form, user, write, redirect, submit }) =>
        submit({
          title: 'Scan Units',
          show: (form) => scanPage(user.username, form),
          save: () => scanUnit(write, accept(scan, form)),
          done: ({ id, as, unit_number, text }) =>
            redirect(withQuery(at, { as, on: String(form.on ?? '') }), {
              text: `${findScanRule(as).done(unit_number)}: ${text}`,
              undo: paths.bulk.undo(id),
            }),
        }),
      { detail: about({ summary: 'Save the change for one scanned unit' }) },
    )
}
