import { expect, test } from 'bun:test'
import { join } from 'node:path'
import type { OpenCollection } from '@opencollection/types'
import { brunoFile } from '../docs/bruno'
import { clientTypes } from '../docs/client-types'
import { readDocument } from '../docs/document'
import { testContext } from '../support/context'

const text = (path: string) => Bun.file(join(import.meta.dir, '../../clients', path)).text()

const document = async () => readDocument((await testContext()).app)

test('clients/typescript/schema.ts is current, and describes the data of every call', async () => {
  const types = await clientTypes(await document())
  // Does not use `toBe(types)`, because its message would print the whole file.
  expect((await text('typescript/schema.ts')) === types).toBe(true)
  expect(types).not.toContain('data: unknown')
})

test('clients/bruno/yardmaster.yml is current, and contains every call', async () => {
  const api = await document()
  const file = await text('bruno/yardmaster.yml')
  expect(file === brunoFile(api)).toBe(true)
  const { items = [] } = Bun.YAML.parse(file) as OpenCollection
  const requests = items.flatMap((item) => ('items' in item ? (item.items ?? []) : []))
  expect(requests.length).toBe(Object.values(api.paths).flatMap(Object.keys).length)
})
