import { Elysia } from 'elysia'
import { DOCUMENT_OWNERS, type DocumentOwner } from '../../../db/vocabulary'
import { DocumentsPage } from '../../../views/documents/documents-page'
import type { FormState } from '../../../views/ui/form-state'
import { signedInPages } from '../auth/guard'
import type { AppContext } from '../context'
import { idParams } from '../fields'
import { about } from '../http/about'
import { failed } from '../http/message'
import { attempt } from '../http/page'
import { paths } from '../paths'
import { capitalised, kindOf, type RecordKind } from '../records/kind'
import {
  addDocument,
  type Document,
  findDocument,
  findOwner,
  listDocuments,
  removeDocument,
  restoreDocument,
} from './queries'
import { ownerParams } from './rules'

const { ofPattern, of: pageOf, remove, restore } = paths.documents

const ownerOf = (entity: string) =>
  Object.entries(DOCUMENT_OWNERS).find(([, table]) => table === entity)?.[0] as DocumentOwner

type Reader = { sees_costs: boolean }

/** Returns a heading, such as `Title of unit 100200` or `Invoice 2026-11`. */
function nameOf(kind: RecordKind | undefined, record: { unit_number?: string } & Record<string, unknown>): string {
  const noun = capitalised(kind?.noun ?? 'record')
  return record.unit_number
    ? `${noun} of unit ${record.unit_number}`
    : `${noun} ${record[kind?.calledBy?.name ?? 'id']}`
}

export const documentPages = (ctx: AppContext) => {
  const { db, clock } = ctx
  const screen = async (reader: Reader, owner: DocumentOwner, id: number, form: FormState) => {
    const kind = kindOf(DOCUMENT_OWNERS[owner])
    const [documents, record] = await Promise.all([listDocuments(ctx, owner, id), findOwner(ctx, reader, owner, id)])
    return (
      <DocumentsPage
        owner={owner}
        record={nameOf(kind, record)}
        recordUrl={kind?.page?.({ unit_number: '', ...record }) ?? paths.dashboard}
        id={id}
        documents={documents}
        form={form}
        timeZone={clock.timeZone}
      />
    )
  }
  const pageUrl = async (reader: Reader, id: number) => {
    const { entity, record_id } = await findDocument(db, reader, id)
    return pageOf(ownerOf(entity), record_id)
  }
  return new Elysia({ detail: about({ what: 'Document' }) })
    .use(signedInPages(ctx))
    .get(
      ofPattern,
      async ({ params, page, user }) => page('Documents', await screen(user, params.owner, params.id, { values: {} })),
      { params: ownerParams, detail: about({ summary: 'Documents of a record' }) },
    )
    .post(
      ofPattern,
      async ({ params: { owner, id }, body, form, write, page, redirect, user }) => {
        const { file: _, ...values } = form as Record<string, unknown>
        // If a user uploads several files at once, `form` contains only the last one, so read the files from `body`.
        const { file } = (body ?? {}) as Record<string, unknown>
        const added: Document[] = []
        for (const one of [file].flat()) {
          const { value, refusal } = await attempt(() => addDocument(ctx, write, owner, id, { ...values, file: one }))
          if (value) added.push(value)
          else {
            const name = one instanceof File && added.length > 0 ? `${one.name}: ` : ''
            const errors = refusal.errors?.map((error) => ({ ...error, message: name + error.message }))
            const state = { values, refusal: { ...refusal, ...(errors ? { errors } : {}) } }
            return page('Documents', await screen(user, owner, id, state), refusal.status)
          }
        }
        const [only] = added
        const text =
          added.length === 1 && only ? `“${only.title ?? only.file_name}” added` : `${added.length} documents added`
        return redirect(pageOf(owner, id), text)
      },
      { params: ownerParams, detail: about({ summary: 'Add a document', failure: 'File upload failed', upload: {} }) },
    )
    .post(
      remove.pattern,
      async ({ params, write, redirect, user }) => {
        const { value: url, refusal } = await attempt(() => pageUrl(user, params.id))
        if (refusal) return redirect(paths.dashboard, failed(refusal.message))
        await removeDocument(write, params.id)
        return redirect(url, { text: 'Document deleted', undo: restore(params.id) })
      },
      { params: idParams, detail: about({ summary: 'Delete a document' }) },
    )
    .post(
      restore.pattern,
      async ({ params, write, redirect, user }) => {
        const { refusal } = await attempt(() => restoreDocument(write, params.id))
        if (refusal) return redirect(paths.dashboard, failed(refusal.message))
        return redirect(await pageUrl(user, params.id), 'Document restored')
      },
      { params: idParams, detail: about({ summary: 'Restore a document' }) },
    )
}
