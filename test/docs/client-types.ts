import { join } from 'node:path'
import type { ApiDocument } from './document'

/** Moves the failure responses to the components. Otherwise, the types would repeat each of them for every call. */
function withSharedFailures(document: ApiDocument) {
  const responses: Record<string, unknown> = {}
  const share = ([status, response]: [string, unknown]): [string, unknown] => {
    if (Number(status) < 400) return [status, response]
    responses[`Failure${status}`] = response
    return [status, { $ref: `#/components/responses/Failure${status}` }]
  }
  const paths = Object.entries(document.paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => [
        method,
        { ...operation, responses: Object.fromEntries(Object.entries(operation.responses).map(share)) },
      ]),
    ),
  ])
  return { ...document, paths: Object.fromEntries(paths), components: { ...document.components, responses } }
}

/**
 * Returns the types of the TypeScript client, `clients/typescript/schema.ts`. A process of its own generates them,
 * because the generator needs TypeScript 5 under the name of the compiler that this project uses.
 */
export async function clientTypes(document: ApiDocument): Promise<string> {
  const generator = Bun.spawn([process.execPath, join(import.meta.dir, 'generate-types.ts')], {
    stdin: new Blob([JSON.stringify(withSharedFailures(document))]),
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const types = await new Response(generator.stdout).text()
  if ((await generator.exited) !== 0) throw new Error('The types of the client could not be generated')
  return types
}
