import { join } from 'node:path'
import { closeTestContext, testContext } from '../support/context'
import { routesPage } from './routes'
import { tablesPage } from './tables'

const at = (page: string) => join(import.meta.dir, '../../docs', page)

const { ctx } = await testContext()
await Bun.write(at('routes.md'), routesPage(ctx.routes.all))
await Bun.write(at('tables.md'), await tablesPage())
await closeTestContext()
