import { paths } from '../../src/platform/paths'

const TITLES: Record<number, string> = {
  404: 'Not found',
  409: 'This action is not possible now',
  429: 'Too many requests',
  500: 'Something went wrong',
  503: 'The database is unavailable',
}

/** Error page. `title` names the action that failed. Without a title, the heading depends on the status code. */
type Props = {
  status: number
  message: string
  title?: string | null
  /** True to show a sign-out button, because the page has no sidebar. */
  canSignOut?: boolean
}

export function Problem({ status, message, title, canSignOut = false }: Props) {
  return (
    <section className="notice-page">
      <h1>{title ?? TITLES[status] ?? 'The request failed'}</h1>
      <p>{message}</p>
      <a className="button" href={paths.dashboard}>
        Back to the dashboard
      </a>
      {canSignOut && (
        <form method="post" action={paths.logout} className="form-buttons">
          <button type="submit" className="button">
            Sign out
          </button>
        </form>
      )}
    </section>
  )
}
