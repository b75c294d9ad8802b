import { Elysia } from 'elysia'
import { DocsPage } from '../../../views/docs/docs-page'
import type { AppContext } from '../context'
import { about } from '../http/about'
import { htmlAnswer, renderDocument } from '../http/page'
import { textAnswer } from '../http/text-answer'
import type { ListExport } from '../lists/exports/list'
import { openApiDocument } from './openapi'
import { operationsOf } from './operations'
import type { Schema } from './schema'

/**
 * Caches the text that `make` builds. Building the text is slow, and anyone can request the public page that shows it.
 */
function once(make: () => string): () => string {
  let cached: string | undefined
  return () => {
    cached ??= make()
    return cached
  }
}

/** The routes are public, because they reveal no data. */
export const docsPages = (
  ctx: AppContext,
  lists: Record<string, ListExport>,
  schemas: () => Record<string, Schema>,
) => {
  const operations = () => operationsOf(ctx.routes.all, lists)
  const document = once(() => JSON.stringify(openApiDocument(operations(), schemas())))
  const page = once(() => renderDocument(ctx, 'API', <DocsPage operations={operations()} />))
  return new Elysia({ detail: about({ role: 'anyone' }) })
    .get('/api/openapi.json', ({ request }) => textAnswer(request, document(), 'application/json; charset=utf-8'), {
      detail: about({ summary: 'OpenAPI document of the API' }),
    })
    .get('/api/docs', ({ request }) => htmlAnswer(request, page()), { detail: about({ summary: 'API reference' }) })
}
