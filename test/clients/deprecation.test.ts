import { expect, test } from 'bun:test'
import { Elysia } from 'elysia'
import { openApiDocument } from '../../src/platform/docs/openapi'
import { operationsOf } from '../../src/platform/docs/operations'
import { about } from '../../src/platform/http/about'
import { testContext } from '../support/context'

const deprecated = { since: '2027-01-10', removal: '2028-02-01', replacement: 'GET /api/titles' }

test('responses of a deprecated call have the headers Deprecation and Sunset', async () => {
  const { ctx, cast } = await testContext()
  const facts = ctx.routes.factsOf('GET', '/api/titles/pending')
  if (!facts) throw new Error('GET /api/titles/pending does not exist')
  facts.deprecated = deprecated
  try {
    const { status, headers } = await cast.ben.get('/titles/pending')
    expect([status, headers.get('deprecation'), headers.get('sunset')]).toEqual([
      200,
      '@1799539200',
      'Tue, 01 Feb 2028 00:00:00 GMT',
    ])
  } finally {
    delete facts.deprecated
  }
  expect((await cast.ben.get('/titles/pending')).headers.has('deprecation')).toBe(false)
})

test('the API document marks a deprecated call, and names the replacement', () => {
  const { routes } = new Elysia().get('/api/old', () => '', {
    detail: about({ summary: 'Old list', description: 'All titles.', deprecated }),
  })
  expect(openApiDocument(operationsOf(routes, {}), {}).paths['/api/old']?.get).toMatchObject({
    deprecated: true,
    description:
      'Deprecated: this call will be removed on 2028-02-01 or later. Use `GET /api/titles` instead. All titles.',
  })
})
