import { join } from 'node:path'
import { closeTestContext, testContext } from '../support/context'
import { brunoFile } from './bruno'
import { clientTypes } from './client-types'
import { readDocument } from './document'
import { routesPage } from './routes'
import { tablesPage } from './tables'

const at = (file: string) => join(import.meta.dir, '../..', file)

const { app, ctx } = await testContext()
const document = await readDocument(app)
await Bun.write(at('docs/routes.md'), routesPage(ctx.routes.all))
await Bun.write(at('docs/tables.md'), await tablesPage())
await Bun.write(at('clients/typescript/schema.ts'), await clientTypes(document))
await Bun.write(at('clients/bruno/yardmaster.yml'), brunoFile(document))
await closeTestContext()
