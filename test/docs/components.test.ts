import { afterEach, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { testContext } from '../support/context'

const before = process.env.NODE_ENV
afterEach(() => {
  process.env.NODE_ENV = before
})

test('the components page exists only in development mode', async () => {
  const usual = await testContext()
  expect((await usual.cast.ben.open('/docs/components')).location).toBe('/dashboard')
  process.env.NODE_ENV = 'development'
  const { cast } = await testContext({})
  const { status, html } = await cast.ben.open('/docs/components')
  expect(status).toBe(200)
  for (const state of ['badge-danger', 'field-wrong', 'is-warning', 'choice_ra_number', 'is-late-row', 'toast-danger'])
    expect(html).toContain(state)
})

test('the components page imports every component outside the exclusion list', async () => {
  const files = ['components-page', 'samples'].map((name) => join(import.meta.dir, `../../views/docs/${name}.tsx`))
  const page = (await Promise.all(files.map((file) => Bun.file(file).text()))).join('')
  // Exclusions: components around every page, and parts of components that the page imports.
  const within = [
    'current-password',
    'delete-record',
    'form-page',
    'layouts',
    'list-query',
    'loading',
    'active-filters',
    'failure-text',
    'row-form',
    'pager',
    'markup-cache',
    'identity',
    'time-zone',
    'toolbar',
  ]
  const parts = readdirSync(join(import.meta.dir, '../../views/ui')).map((file) => file.replace(/\.tsx?$/, ''))
  for (const part of parts.filter((part) => !within.includes(part))) expect(page).toContain(`'../ui/${part}'`)
})
