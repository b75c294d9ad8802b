import type { DocumentOwner } from '../../db/vocabulary'
import type { Document } from '../../src/platform/documents/queries'
import { paths } from '../../src/platform/paths'
import { showInstant } from '../format'
import { FileInput, Input } from '../ui/fields'
import { Form } from '../ui/form'
import type { FormState } from '../ui/form-state'
import { PageHead } from '../ui/page-head'
import { TablePanel } from '../ui/plain-table'

type Props = {
  owner: DocumentOwner
  id: number
  /** Name of the documents' record, such as `Title of unit 100200`. */
  record: string
  recordUrl: string
  documents: Document[]
  form: FormState
  timeZone: string
}

const BYTES_PER_KB = 1024
const showSize = (bytes: number) => {
  const kilobytes = Math.max(1, Math.round(bytes / BYTES_PER_KB))
  return kilobytes < BYTES_PER_KB ? `${kilobytes} KB` : `${(kilobytes / BYTES_PER_KB).toFixed(1)} MB`
}

export function DocumentsPage({ owner, id, record, recordUrl, documents, form, timeZone }: Props) {
  return (
    <>
      <PageHead title="Documents" lead={record}>
        <a className="button" href={recordUrl}>
          Back to the record
        </a>
      </PageHead>
      <TablePanel
        title="Photos and PDFs"
        caption="Documents"
        rows={documents}
        empty="No documents yet"
        columns={[
          {
            label: 'Document',
            cell: (row) => (
              <a className="document-link" href={paths.documents.file(row.id)} target="_blank" rel="noopener">
                {row.has_thumbnail ? (
                  <img src={paths.documents.thumbnail(row.id)} alt="" width="64" height="48" loading="lazy" />
                ) : (
                  <span className="document-type" aria-hidden="true">
                    {row.media_type === 'application/pdf' ? 'PDF' : 'Photo'}
                  </span>
                )}
                {row.title ?? row.file_name}
              </a>
            ),
          },
          { label: 'Size', align: 'right', cell: ({ size }) => showSize(size) },
          {
            label: 'Added',
            cell: ({ created_at, created_by }) =>
              `${showInstant(created_at, timeZone)} by ${created_by ?? 'the system'}`,
          },
          {
            label: 'Actions',
            cell: (row) => (
              <form method="post" action={paths.documents.remove(row.id)} className="row-actions">
                <button type="submit" className="is-danger" aria-label={`Delete ${row.title ?? row.file_name}`}>
                  Delete
                </button>
              </form>
            ),
          },
        ]}
      />
      <section className="panel" data-documents={paths.documents.upload(owner, id)}>
        <h2>Add documents</h2>
        <Form action={paths.documents.of(owner, id)} form={form} submit="Add" busy="Uploading..." isWhole hasFile>
          <FileInput
            form={form}
            name="file"
            label="Photos or PDFs"
            required
            multiple
            hint="You can choose several files, drop files here or paste a picture."
            accept="image/jpeg,image/png,image/webp,image/heic,application/pdf"
          />
          <ul className="upload-progress field-wide" hidden />
          <Input form={form} name="title" label="Title" max={200} hint="If blank, the file name is used" />
        </Form>
      </section>
    </>
  )
}
