import { documentContents, documents, documentThumbnails } from '../../../db/schema'
import { boolean, record } from '../docs/schema'
import type { Module } from '../module'
import { documentsApi } from './api'
import { documentPages } from './pages'

export const documentsModule: Module = {
  routes: (ctx) => [documentPages(ctx), documentsApi(ctx)],
  kinds: [
    {
      table: documents,
      noun: 'document',
      many: 'documents',
      calledBy: documents.file_name,
      timelineFields: ['title', 'file_name', 'deleted_at'],
    },
    { table: documentContents, noun: 'document content', many: 'document contents' },
    { table: documentThumbnails, noun: 'thumbnail', many: 'thumbnails' },
  ],
  schemas: () => ({ Document: record(documents, { has_thumbnail: boolean }, ['stored_as']) }),
}
