import { join } from 'node:path'

const ROOT = join(import.meta.dir, '../..')
const NAMED = /`([\w.]+)` \(`([\w./-]+):\d+`\)/g

/** The tour with the line on which each word stands first in its file. @throws when a file does not have its word */
export async function linesInTour(tour: string): Promise<string> {
  const files = new Map<string, string[]>()
  for (const [, , file = ''] of tour.matchAll(NAMED))
    files.set(file, (await Bun.file(join(ROOT, file)).text()).split('\n'))
  return tour.replace(NAMED, (_, word: string, file: string) => {
    const line =
      files
        .get(file)
        ?.findIndex((text) => new RegExp(`\\b${word}\\b`).test(text) && !/^\s*(import|\w+,$)/.test(text)) ?? -1
    if (line < 0) throw new Error(`${file} does not have ${word}`)
    return `\`${word}\` (\`${file}:${line + 1}\`)`
  })
}
