import type { ReactNode } from 'react'
import type { FormState } from '../../views/ui/fields'
import type { Actor } from '../records/actor'
import { acceptSeen, type Warning } from '../records/warnings'
import { Stale } from '../refusals'
import { changedSince } from './changed-since'
import { attempt, type pageFor } from './page'

type Post = { typed: Record<string, unknown>; page: ReturnType<typeof pageFor>['page'] }

type Form<Value> = {
  title: string
  /** Accepts and writes what was typed; whatever it refuses is shown with the form. */
  save: () => Promise<Value>
  show: (form: FormState) => ReactNode | Promise<ReactNode>
  done: (value: Value) => Response
}

/** Answers a posted form: saved, or the form again with what was typed and what was wrong with it. */
export async function submitted<Value>({ typed, page }: Post, { title, save, show, done }: Form<Value>): Promise<Response> {
  const { value, refusal } = await attempt(save)
  if (!refusal) return done(value as Value)
  const stale = refusal instanceof Stale ? changedSince(refusal.current, typed) : {}
  return page(title, await show({ values: typed, refusal, ...stale }), refusal.status)
}

/** Who saves in spite of these warnings, which their form has shown. @throws Warned when it has not */
export const inSpiteOf = (warnings: Warning[], actor: Actor, typed: Record<string, unknown>): Actor => ({
  ...actor,
  accepted: acceptSeen(warnings, typed.warnings_seen),
})
