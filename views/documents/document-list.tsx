import type { Document } from '../../src/platform/documents/queries'
import { paths } from '../../src/platform/paths'

export function DocumentList({ documents }: { documents: Pick<Document, 'id' | 'title' | 'file_name'>[] }) {
  if (documents.length === 0) return null
  return (
    <section className="panel">
      <h2>Documents</h2>
      <ul>
        {documents.map(({ id, title, file_name }) => (
          <li key={id}>
            <a href={paths.documents.file(id)}>{title ?? file_name}</a>
          </li>
        ))}
      </ul>
    </section>
  )
}
