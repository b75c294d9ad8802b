import { documentContents, documents } from '../../../db/schema'
import { record } from '../docs/schema'
import type { Module } from '../module'
import { documentsApi } from './api'
import { documentPages } from './pages'

export const documentsModule: Module = {
  routes: (ctx) => [documentPages(ctx), documentsApi(ctx)],
  kinds: [
    { table: documents, noun: 'document', many: 'documents', calledBy: documents.file_name },
    { table: documentContents, noun: 'document content', many: 'document contents' },
  ],
  schemas: () => ({ Document: record(documents, {}, ['stored_as']) }),
}
