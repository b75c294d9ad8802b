import { Elysia } from 'elysia'
import { z } from 'zod'
import { DOCUMENT_TYPES } from '../../../db/vocabulary'
import { signedIn } from '../auth/guard'
import type { AppContext } from '../context'
import { ref, type Schema } from '../docs/schema'
import { idParams } from '../fields'
import { about } from '../http/about'
import { answer, answerRowsOrPage } from '../http/answers'
import { attachment, storedAttachment } from '../http/attachment'
import { data, file, page } from '../http/shapes'
import { partQuery } from '../lists/list-query'
import {
  addDocument,
  findOwner,
  listDocuments,
  openDocument,
  readThumbnail,
  removeDocument,
  restoreDocument,
} from './queries'
import { documentQuery, OWNERS } from './rules'

const JPEG = 'image/jpeg'

const UPLOAD: Schema = {
  type: 'object',
  required: ['file'],
  properties: {
    file: { type: 'string', format: 'binary' },
    title: { type: 'string', maxLength: 200 },
    thumbnail: { type: 'string', format: 'binary', description: 'JPEG of at most 64 KB' },
  },
}

export const documentsApi = (ctx: AppContext) => {
  const routes = new Elysia({ detail: about({ tags: ['documents'], what: 'Document' }) }).use(signedIn(ctx))
  for (const owner of OWNERS) {
    // The router allows only one parameter name at each position of a path. All vehicle routes use the name `unit`, as
    // in `/api/vehicles/:unit`.
    const name = owner === 'vehicles' ? 'unit' : 'id'
    const recordParams = z.object({ [name]: idParams.shape.id })
    const path = `/api/${owner}/:${name}/documents`
    const idOf = (params: Record<string, number>) => params[name] as number
    routes
      .get(
        path,
        async ({ params, user, query }) => {
          await findOwner(ctx, user, owner, idOf(params))
          return answerRowsOrPage(await listDocuments(ctx, owner, idOf(params)), query)
        },
        {
          params: recordParams,
          query: partQuery,
          detail: about({ summary: `List the documents of a record (${owner})`, answers: page(ref('Document')) }),
        },
      )
      .post(
        path,
        async ({ params, body, write, set }) => {
          const made = await addDocument(ctx, write, owner, idOf(params), body)
          set.status = 201
          return answer(made)
        },
        {
          params: recordParams,
          detail: about({
            upload: UPLOAD,
            summary: `Add a document to a record (${owner})`,
            description:
              'A multipart form with `file` and an optional `title`. Accepts JPEG, PNG, WebP, HEIC and PDF ' +
              'files. The content of the file determines its type.',
            answers: data(ref('Document'), 201),
          }),
        },
      )
  }
  return routes
    .get(
      '/api/documents/:id',
      async ({ params, query, user, write }) => {
        const { file_name, media_type, content } = await openDocument(ctx, user, params.id)
        return storedAttachment(write, file_name, media_type, content, { isInline: query.inline ?? false })
      },
      {
        params: idParams,
        query: documentQuery,
        detail: about({
          summary: 'Download a document',
          description: 'With `inline=1`, a browser shows the document instead of saving it.',
          answers: file(...DOCUMENT_TYPES),
        }),
      },
    )
    .get(
      '/api/documents/:id/thumbnail',
      async ({ params, user }) =>
        attachment('thumbnail.jpg', JPEG, await readThumbnail(ctx.db, user, params.id), { isInline: true }),
      {
        params: idParams,
        detail: about({
          summary: 'Thumbnail of a document',
          description:
            'A document has a thumbnail only if it was uploaded with one. The web pages add thumbnails to photos.',
          answers: file(JPEG),
        }),
      },
    )
    .delete('/api/documents/:id', async ({ params, write }) => answer(await removeDocument(write, params.id)), {
      params: idParams,
      detail: about({ summary: 'Delete a document', answers: data(ref('Document')) }),
    })
    .post('/api/documents/:id/restore', async ({ params, write }) => answer(await restoreDocument(write, params.id)), {
      params: idParams,
      detail: about({ summary: 'Restore a deleted document', answers: data(ref('Document')) }),
    })
}
