import { Elysia } from 'elysia'
import { ComponentsPage } from '../../../views/docs/components-page'
import { signedInPages } from '../auth/guard'
import type { AppContext } from '../context'
import { about } from '../http/about'
import { paths } from '../paths'

/** Catalog of page components in every state, for development only. */
export const componentsPages = (ctx: AppContext) =>
  new Elysia()
    .use(signedInPages(ctx))
    .get(paths.components, ({ page }) => page('Components', <ComponentsPage today={ctx.clock.today()} />), {
      detail: about({ summary: 'Page with examples of all page elements, such as buttons, fields and messages' }),
    })
