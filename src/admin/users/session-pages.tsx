import { Elysia } from 'elysia'
import { SessionsPage } from '../../../views/admin/users/sessions'
import { signedInPages } from '../../auth/guard'
import type { AppContext } from '../../context'
import { idParams } from '../../fields'
import { about } from '../../http/about'
import { paths } from '../../paths'
import { isDone } from '../../refusals'
import { findUser } from './queries'
import { endSessions, sessionsOf } from './sessions'

/** Where a user is signed in, and the way to end it. */
export const sessionPages = (ctx: AppContext) => {
  const { db, clock } = ctx
  return new Elysia({ detail: about({ role: 'admin' }) })
    .use(signedInPages(ctx))
    .get(
      paths.users.sessions.pattern,
      async ({ params, session, page }) => {
        const [{ username }, open] = await Promise.all([
          findUser(db, params.id),
          sessionsOf(db, params.id, session, clock.now()),
        ])
        return page(
          'Sessions',
          <SessionsPage id={params.id} username={username} sessions={open} timeZone={clock.timeZone} />,
        )
      },
      { params: idParams, detail: about({ summary: 'Where a user is signed in' }) },
    )
    .post(
      paths.users.endSessions.pattern,
      async ({ params, form, session, actor, redirect, back }) => {
        const key = typeof form.key === 'string' && form.key ? form.key : null
        if (!(await isDone(endSessions(db, actor, params.id, session, key))))
          return redirect(back(paths.users.list), 'The session had ended already')
        return redirect(back(paths.users.list), key ? 'The session was ended' : 'The sessions were ended')
      },
      { params: idParams, detail: about({ summary: 'End a session of a user, or all of them' }) },
    )
}
