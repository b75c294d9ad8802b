import { Elysia } from 'elysia'
import { DocsPage } from '../../views/docs/docs-page'
import { htmlAnswer, renderDocument } from '../http/page'
import type { Office } from '../office'
import { openApiDocument, operationsOf } from './openapi'

/** The API's document and its readable page; open to everyone, for they say nothing of the data. */
export const docsPages = (office: Office, routes: () => Elysia['routes']) =>
  new Elysia()
    .get('/api/openapi.json', () => openApiDocument(operationsOf(routes())))
    .get('/api/docs', ({ request }) => htmlAnswer(request, renderDocument(office, 'API', <DocsPage operations={operationsOf(routes())} />)))
