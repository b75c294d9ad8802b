import { Elysia } from 'elysia'
import { RememberedPage } from '../../../views/imports/remembered-page'
import { signedInPages } from '../auth/guard'
import type { AppContext } from '../context'
import { idParams } from '../fields'
import { about } from '../http/about'
import { paths } from '../paths'
import { forgetAlias, listAliases } from './remembered-names'

export const rememberedPages = (ctx: AppContext) => {
  const { db } = ctx
  return new Elysia()
    .use(signedInPages(ctx))
    .get(
      paths.files.remembered,
      async ({ page }) =>
        page('Remembered names', <RememberedPage aliases={await listAliases(db)} timeZone={ctx.clock.timeZone} />),
      { detail: about({ summary: 'Remembered names' }) },
    )
    .post(
      paths.files.forget.pattern,
      async ({ params, write, redirect }) => {
        await forgetAlias(write, params.id)
        return redirect(paths.files.remembered, 'Name forgotten')
      },
      { detail: about({ summary: 'Delete a column name or spelling that the importer remembers' }), params: idParams },
    )
}
