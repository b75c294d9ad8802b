import { Mark } from '../ui/icons'

type Props = {
  path: string
  fields: [name: string, value: string][]
  typed: [name: string, value: string][]
  next: string
}

const words = (name: string) => {
  const text = name.replaceAll('_', ' ').replace(/ id$/, '')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** After a new sign-in: what was typed when the old one had ended, to be sent now. */
export function HeldPage({ path, fields, typed, next }: Props) {
  return (
    <main className="notice-page">
      <Mark />
      <h1>You are signed in again</h1>
      <p>Your sign-in had ended when you sent this form, so it was not saved yet.</p>
      <dl className="facts">
        {typed.map(([name, value]) => (
          <div key={name}>
            <dt>{words(name)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <form method="post" action={path}>
        {fields.map(([name, value], at) => (
          <input key={`${at} ${name}`} type="hidden" name={name} value={value} />
        ))}
        <button type="submit" className="button button-primary">
          Send it now
        </button>
      </form>
      <a href={next}>Leave it, and go on</a>
    </main>
  )
}
