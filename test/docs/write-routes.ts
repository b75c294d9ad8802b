import { join } from 'node:path'
import { closeTestContext, testContext } from '../support/context'
import { routesPage } from './routes'

const { ctx } = await testContext()
await Bun.write(join(import.meta.dir, '../../docs/routes.md'), routesPage(ctx.routes.all))
await closeTestContext()
