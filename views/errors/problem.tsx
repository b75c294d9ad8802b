import { paths } from '../../src/platform/paths'

const TITLES: Record<number, string> = {
  404: 'Not found',
  409: 'This action is not possible now',
  429: 'Too many attempts',
  500: 'Something went wrong',
  503: 'The database is unavailable',
}

/** Error page. `title` names the action that failed. Without a title, the heading depends on the status code. */
export function Problem({ status, message, title }: { status: number; message: string; title?: string | null }) {
  return (
    <section className="notice-page">
      <h1>{title ?? TITLES[status] ?? 'The request failed'}</h1>
      <p>{message}</p>
      <a className="button" href={paths.dashboard}>
        Back to the dashboard
      </a>
    </section>
  )
}
