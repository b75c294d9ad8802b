import { Elysia } from 'elysia'
import { OrderPage } from '../../../views/transports/order-page'
import { accept } from '../../platform/accept'
import { signedInPages } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { listDocuments } from '../../platform/documents/queries'
import { idParams, versionOnly } from '../../platform/fields'
import { about } from '../../platform/http/about'
import { failed } from '../../platform/http/message'
import { attempt } from '../../platform/http/page'
import { paths } from '../../platform/paths'
import { findSettings } from '../settings'
import { issuePo } from './mutations'
import { findOrder } from './queries'

const { issuePo: issue, order } = paths.transports

export const orderPages = (ctx: AppContext) => {
  const { db } = ctx
  return new Elysia()
    .use(signedInPages(ctx))
    .get(
      order.pattern,
      async ({ params, page }) => {
        const [orderData, head, documents] = await Promise.all([
          findOrder(db, params.id),
          findSettings(db),
          listDocuments(ctx, 'transports', params.id),
        ])
        return page('Transport order', <OrderPage order={orderData} head={head} documents={documents} />)
      },
      { params: idParams, detail: about({ summary: 'Printable transport order' }) },
    )
    .post(
      issue.pattern,
      async ({ params, form, write, inRow, back }) => {
        const { value, refusal } = await attempt(() => issuePo(write, params.id, accept(versionOnly, form)?.version))
        // In the due list, the row stays, so that a second click does not hit the next row.
        return inRow(
          back(order(params.id)),
          async () => null,
          refusal ? failed(refusal.message) : { text: `Purchase order ${value.po_number} is issued` },
        )
      },
      {
        params: idParams,
        detail: about({ summary: 'Issue a purchase order', failure: 'Failed to issue the purchase order' }),
      },
    )
}
