import { join } from 'node:path'

const ROOT = join(import.meta.dir, '../..')
const NAMED = /`([\w.]+)` \(`([\w./-]+\.tsx?)`\)/g

/** The names in the tour, each with the file that it says defines it. */
export const namesInTour = (tour: string): { name: string; file: string }[] =>
  [...tour.matchAll(NAMED)].map(([, name = '', file = '']) => ({ name, file }))

/** Does the file define the name, rather than only use it? */
export async function isDefined({ name, file }: { name: string; file: string }): Promise<boolean> {
  const source = Bun.file(join(ROOT, file))
  if (!(await source.exists())) return false
  return new RegExp(
    `^\\s*(?:export )?(?:async )?(?:const|function|class|type) ${name}\\b|^\\s*(?:async )?${name}(?:<\\w+>)?\\(`,
    'm',
  ).test(await source.text())
}
