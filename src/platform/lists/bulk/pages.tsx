import { Elysia } from 'elysia'
import { z } from 'zod'
import { accept } from '../../accept'
import { signedInPages } from '../../auth/guard'
import type { AppContext } from '../../context'
import { checkCostAccess } from '../../costs'
import { idParams } from '../../fields'
import { about } from '../../http/about'
import { failed } from '../../http/message'
import { attempt } from '../../http/page'
import { inTurn } from '../../http/turns'
import { paths, withQuery } from '../../paths'
import { Missing } from '../../refusals'
import type { BulkKind, UndoKind } from './kind'
import { changeMany, undoMany } from './queries'
import { bulkChange, FILTERED_LIMIT, isObject, parseChoice } from './rules'
import { skippedText, warningsText } from './skipped'

/** Query parameter of an undo: the bulk edit added notes, which the undo does not remove. */
const NOTES = 'notes'

const countText = (changed: number, many: string) =>
  changed === 1 ? `1 ${many.replace(/s$/, '').replace(/ie$/, 'y')}` : `${changed} ${many}`

function bulkRequest(body: unknown) {
  const { ids: _, all: __, filters: ___, expected: ____, back: _____, note, ...fields } = isObject(body) ? body : {}
  const set = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))
  return { ...parseChoice(body), set, note }
}

/** Routes for bulk edits of a list and for their undo. Both work without JavaScript. */
export const bulkPages = (ctx: AppContext, kinds: BulkKind[], undos: UndoKind[]) => {
  const { db, clock } = ctx
  return new Elysia()
    .use(signedInPages(ctx))
    .post(
      paths.bulk.change.pattern,
      async ({ params, body, write, user, redirect, back }) => {
        const kind = kinds.find(({ name }) => name === params.kind)
        if (!kind) throw new Missing('Page')
        const { value, refusal } = await attempt(async () => {
          const change = accept(bulkChange(kind), bulkRequest(body))
          checkCostAccess(user, change.filters ?? {})
          const limit = FILTERED_LIMIT[ctx.database.engine]
          const { result, warnings } = await inTurn(ctx, write, (write) => changeMany(write, kind, change, limit))
          // An undo does not remove notes that are stored in a table of their own.
          const canUndo = result.changed > 0 && (!kind.addNote || Object.keys(change.set).length > 0)
          const keepsNotes = kind.addNote !== undefined && Boolean(change.note)
          return {
            ...result,
            warnings,
            canUndo,
            keepsNotes,
            done: (result.changed > 0 && kind.done?.(change.set)) || 'changed',
          }
        })
        if (refusal) return redirect(back(paths.dashboard), failed(refusal.message))
        const { id, changed, canUndo, keepsNotes, skipped, warnings, done } = value
        return redirect(back(paths.dashboard), {
          text: [
            `${countText(changed, kind.many)} ${done}`,
            await skippedText(db, clock, kind.find, skipped),
            await warningsText(db, clock, kind.find, warnings),
          ].join(''),
          skippedIds: skipped.map(({ id }) => id),
          ...(canUndo ? { undo: withQuery(paths.bulk.undo(id), { keeps: keepsNotes ? NOTES : undefined }) } : {}),
          ...(changed ? {} : { tone: 'danger' as const }),
        })
      },
      {
        params: z.object({ kind: z.string() }),
        detail: about({ summary: 'Bulk edit the selected records of a list' }),
      },
    )
    .post(
      paths.bulk.undo.pattern,
      async ({ params, query, write, redirect, back }) => {
        const { value, refusal } = await attempt(() => inTurn(ctx, write, (write) => undoMany(write, undos, params.id)))
        if (refusal) return redirect(back(paths.dashboard), failed(refusal.message))
        const { changed, skipped } = value.result
        const are = changed === 1 ? 'was undone' : 'were undone'
        const kept = query.keeps === NOTES ? '; the notes stay' : ''
        const skippedRecords = await skippedText(db, clock, value.find, skipped)
        return redirect(back(paths.dashboard), `${countText(changed, 'changes')} ${are}${kept}${skippedRecords}`)
      },
      { params: idParams, detail: about({ summary: 'Undo a bulk edit' }) },
    )
}
