import { dirname, join, relative } from 'node:path'

/** Import graph of the source, parsed from its text. */

export const ROOT = join(import.meta.dir, '../..')

/** An import. `to` is one of our files with its extension, or a package name. */
export type Import = { from: string; to: string; isType: boolean }

const ENDINGS = ['', '.ts', '.tsx', '/index.ts', '/index.tsx']
/** Static import or re-export up to its path, or dynamic import. */
const STATEMENT = /^(?:import|export) (type )?((?:[^'";]*?) from )?'([^']+)'|import\('([^']+)'\)/gms

export const sourceFiles = (): string[] =>
  [...new Bun.Glob('{src,views,islands,db}/**/*.{ts,tsx}').scanSync(ROOT)]
    .filter((file) => !file.endsWith('.d.ts'))
    .sort()

const namesOnlyTypes = (names: string) =>
  /^\{.*\}\s+from\s*$/s.test(names) &&
  names
    .replace(/[{}]|\bfrom\b/g, '')
    .split(',')
    .every((name) => name.trim() === '' || name.trim().startsWith('type '))

function resolveFile(from: string, path: string, files: Set<string>): string {
  if (!path.startsWith('.')) return path
  const target = relative(ROOT, join(ROOT, dirname(from), path))
  return ENDINGS.map((ending) => target + ending).find((file) => files.has(file)) ?? target
}

export async function readImports(files: string[]): Promise<Import[]> {
  const existingFiles = new Set(files)
  const imports = files.map(async (from) =>
    [...(await Bun.file(join(ROOT, from)).text()).matchAll(STATEMENT)].map(([, type, names = '', stated, dynamic]) => ({
      from,
      to: resolveFile(from, (stated ?? dynamic) as string, existingFiles),
      isType: Boolean(type) || namesOnlyTypes(names),
    })),
  )
  return (await Promise.all(imports)).flat()
}

/** Returns the groups of files with circular imports (Tarjan's algorithm). */
export function cyclesIn(imports: Import[]): string[][] {
  const edges = Map.groupBy(imports, ({ from }) => from)
  const [index, low] = [new Map<string, number>(), new Map<string, number>()]
  const stack: string[] = []
  const cycles: string[][] = []
  const visit = (file: string) => {
    index.set(file, index.size)
    low.set(file, index.get(file) as number)
    stack.push(file)
    for (const { to } of edges.get(file) ?? []) {
      if (!index.has(to)) visit(to)
      if (stack.includes(to)) low.set(file, Math.min(low.get(file) as number, low.get(to) as number))
    }
    if (low.get(file) !== index.get(file)) return
    const group = stack.splice(stack.indexOf(file))
    if (group.length > 1) cycles.push(group.sort())
  }
  for (const file of edges.keys()) if (!index.has(file)) visit(file)
  return cycles
}
