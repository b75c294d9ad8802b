import { beforeEach, describe, expect, test } from 'bun:test'
import { PARAMETER_EXAMPLES } from '../../src/platform/docs/examples'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

/** Values of the hidden field `was` that no form writes. */
const DAMAGED = [
  { notes: [{ toString: 1 }], name: { toString: 1 }, lines: [[{}]], amounts: {} },
  { notes: { valueOf: 1 }, name: [[]], unit_number: [{ toString: 1 }], query: {}, list: [{}] },
  JSON.parse('{"__proto__":{"notes":1},"constructor":{},"toString":1}'),
  [],
  null,
  'text',
]
const FIELDS = ['notes', 'name', 'lines', 'unit_number', 'query', 'list', '__proto__', 'constructor', 'toString']

/** Routes that end the session. */
const LEFT_OUT = ['/logout', '/profile/sessions/end', '/profile/password']

describe('a damaged hidden field', () => {
  test('never makes a form fail', async () => {
    const paths = h.app.routes
      .filter(({ method, path }) => method === 'POST' && !path.startsWith('/api/') && !LEFT_OUT.includes(path))
      .map(({ path }) => path.replace(/:(\w+)/g, (_, name: string) => String(PARAMETER_EXAMPLES[name] ?? 1)))
    expect(paths.length).toBeGreaterThan(80)
    const failed: string[] = []
    for (const path of paths)
      for (const was of DAMAGED) {
        const choices = Object.fromEntries(FIELDS.map((field) => [`choice_${field}`, 'stored']))
        const answer = await h.cast.ada.submit(path, { was: JSON.stringify(was), version: '1', ...choices })
        if (answer.status >= 500) failed.push(`${path} ${JSON.stringify(was)}`)
      }
    expect(failed).toEqual([])
  }, 600_000)

  test('fills no field of the form', async () => {
    const was = JSON.stringify({ notes: ['first', 'second'], dealer_name: { text: 'Valley' } })
    const form = { was, choice_notes: 'stored', choice_dealer_name: 'stored', dealer_name: 'Typed' }
    const { html } = await h.cast.ben.submit('/titles/new', form)
    expect([html.includes('first'), html.includes('value="Typed"'), html.includes('[object')]).toEqual([
      true,
      true,
      false,
    ])
  })
})
