import { paths } from '../../src/platform/paths'

export function AccessDenied({ message }: { message: string }) {
  return (
    <section className="notice-page">
      <h1>Access Denied</h1>
      <p>{message}</p>
      <a className="button" href={paths.dashboard}>
        Back to the dashboard
      </a>
    </section>
  )
}
