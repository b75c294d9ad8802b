import { Elysia } from 'elysia'
import { signedIn } from '../../auth/guard'
import type { AppContext } from '../../context'
import { checkCostAccess } from '../../costs'
import { integer, list, object, string } from '../../docs/schema'
import { idParams } from '../../fields'
import { about } from '../../http/about'
import { answer } from '../../http/answers'
import { data, warned } from '../../http/shapes'
import { inTurn } from '../../http/turns'
import { withWarnings } from '../../records/warnings'
import type { BulkKind, UndoKind } from './kind'
import { changeMany, undoMany } from './queries'
import { bulkChange, FILTERED_LIMIT } from './rules'

const RESULT = object({ id: integer, changed: integer, skipped: list(object({ id: integer, reason: string })) })

export function bulkApi(ctx: AppContext, kinds: BulkKind[], undos: UndoKind[]) {
  const changes = kinds.map((kind) =>
    new Elysia({ prefix: `/api/${kind.name}`, detail: about({ tags: [kind.name] }) }).use(signedIn(ctx)).post(
      '/bulk',
      async ({ body, write, user }) => {
        checkCostAccess(user, body.filters ?? {})
        const limit = FILTERED_LIMIT[ctx.database.engine]
        const { result, warnings } = await inTurn(ctx, write, (write) => changeMany(write, kind, body, limit))
        const named = warnings.map(({ id, code, field, message }) => ({
          code,
          field,
          message: `${kind.what} ${id}: ${message}`,
        }))
        return withWarnings(answer(result), named)
      },
      {
        body: bulkChange(kind),
        detail: about({
          filters: kind.filters,
          summary: `Change several ${kind.many} at once`,
          description:
            'Select records by `ids` (at most 500), or by the `filters` of their list (`list` is its name) ' +
            'with `expected`, the number of records that was shown. `note` is appended. Records that ' +
            'cannot be changed are skipped with a reason. Warnings name the record by its id.',
          answers: warned(RESULT, 200),
        }),
      },
    ),
  )
  const undo = new Elysia({ prefix: '/api/bulk', detail: about({ tags: ['bulk'] }) })
    .use(signedIn(ctx))
    .post(
      '/:id/undo',
      async ({ params, write }) =>
        answer((await inTurn(ctx, write, (write) => undoMany(write, undos, params.id))).result),
      {
        params: idParams,
        detail: about({
          summary: 'Undo a bulk edit',
          description: 'Records that were changed after the bulk edit are skipped and listed in `skipped`.',
          answers: data(RESULT),
        }),
      },
    )
  return [...changes, undo]
}
