import { join } from 'node:path'
import { closeTestContext, testContext } from '../support/context'
import { type ApiFacts, apiFacts } from './api-facts'
import { breakingChanges } from './breaking-changes'
import { readDocument } from './document'

/** Stores the current API as the last release, and prints the breaking changes for the changelog. */

const file = Bun.file(join(import.meta.dir, 'released-api.json'))
const { app } = await testContext()
const current = apiFacts(await readDocument(app))
if (await file.exists()) {
  const released: ApiFacts = await file.json()
  for (const change of breakingChanges(released, current)) console.log(change)
}
await file.write(`${JSON.stringify(current, null, 2)}\n`)
await closeTestContext()
