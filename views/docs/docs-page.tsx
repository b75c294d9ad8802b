import { capitalised } from '../../src/platform/records/kind'

type Schema = Record<string, unknown> & { properties?: Record<string, Schema>; required?: string[] }
type Operation = {
  method: string
  path: string
  tag: string
  summary: string
  description?: string | undefined
  parameters: { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: Schema }[]
  body?: { schema: Schema; example?: unknown } | undefined
}

/** Describes a JSON schema in a few words. An example is `string, at most 50 characters`. */
function kindOf(schema: Schema): string {
  if (Array.isArray(schema.enum)) return schema.enum.join(' | ')
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map((part) => kindOf(part as Schema)).join(' or ')
  return (
    [
      schema.format ?? (Array.isArray(schema.type) ? schema.type.join(' or ') : schema.type),
      schema.maxLength && `at most ${schema.maxLength} characters`,
    ]
      .filter(Boolean)
      .join(', ') || 'any'
  )
}

const WHERE: Record<string, string> = { path: 'in the path', header: 'header, optional' }

export function DocsPage({ operations }: { operations: Operation[] }) {
  const tags = [...new Set(operations.map(({ tag }) => tag))]
  return (
    <main className="docs">
      <h1>Yardmaster API</h1>
      <p className="lead">
        Sign in with <code>POST /api/auth/login</code> and send the token as <code>Authorization: Bearer TOKEN</code>.
        The machine-readable document is at <a href="/api/openapi.json">/api/openapi.json</a>.
      </p>
      <nav className="actions-list" aria-label="Parts of the API">
        {tags.map((tag) => (
          <a key={tag} className="button button-quiet" href={`#${tag.replaceAll(' ', '-')}`}>
            {capitalised(tag)}
          </a>
        ))}
      </nav>
      {tags.map((tag) => (
        <section key={tag} id={tag.replaceAll(' ', '-')}>
          <h2>{capitalised(tag)}</h2>
          {operations
            .filter((operation) => operation.tag === tag)
            .map((operation) => (
              <Call key={`${operation.method} ${operation.path}`} operation={operation} />
            ))}
        </section>
      ))}
    </main>
  )
}

function Call({ operation: { method, path, summary, description, parameters, body } }: { operation: Operation }) {
  const fields = Object.entries(body?.schema.properties ?? {})
  return (
    <details className="panel call">
      <summary>
        <code>
          <strong>{method}</strong> {path}
        </code>{' '}
        {summary}
      </summary>
      {description && <p>{description}</p>}
      {parameters.length > 0 && (
        <>
          <h3>Parameters</h3>
          <ul>
            {parameters.map(({ name, in: where, required, schema }) => (
              <li key={`${where} ${name}`}>
                <code>{name}</code> {WHERE[where] ?? (required ? 'required' : 'optional')}: {kindOf(schema)}
              </li>
            ))}
          </ul>
        </>
      )}
      {fields.length > 0 && (
        <>
          <h3>Body</h3>
          <ul>
            {fields.map(([name, schema]) => (
              <li key={name}>
                <code>{name}</code> {body?.schema.required?.includes(name) ? 'required' : 'optional'}: {kindOf(schema)}
              </li>
            ))}
          </ul>
        </>
      )}
      {body?.example !== undefined && <pre>{JSON.stringify(body.example, null, 2)}</pre>}
    </details>
  )
}
