import { Facts } from '../ui/facts'
import { Mark } from '../ui/icons'

type Props = {
  path: string
  action: string
  username: string
  fields: [name: string, value: string][]
  typed: [name: string, value: string][]
  next: string
}

const labelOf = (name: string) => {
  const text = name.replaceAll('_', ' ').replace(/ id$/, '')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Page that lets a user send a form again. The server had rejected the form because the session had expired. */
export function HeldFormPage({ path, action, username, fields, typed, next }: Props) {
  return (
    <main className="notice-page">
      <Mark />
      <h1>You are signed in again</h1>
      <p>Your session had expired when you sent this form, so your input was not saved.</p>
      <Facts
        facts={[
          ['Form', action],
          ['Address', path],
          ['Account', username],
          ...typed.map(([name, value]): [string, string] => [labelOf(name), value]),
        ]}
      />
      <form method="post" action={path}>
        {fields.map(([name, value], at) => (
          <input key={`${at} ${name}`} type="hidden" name={name} value={value} />
        ))}
        <button type="submit" className="button button-primary">
          Send it now
        </button>
      </form>
      <a href={next}>Discard the form and continue</a>
    </main>
  )
}
