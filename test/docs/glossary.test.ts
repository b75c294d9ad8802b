import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** Importers accept these words as column headings. */
const SYNONYMS = /^src\/features\/[\w/-]+\/import(?:-headings)?\.ts$/

const files = ['{src,views,islands,db,test,docs}/**/*.{ts,tsx,md}', '*.md'].flatMap((pattern) =>
  [...new Bun.Glob(pattern).scanSync(ROOT)].filter(
    (path) => path !== 'docs/glossary.md' && !SYNONYMS.test(path) && path !== 'test/docs/glossary.test.ts',
  ),
)

/** Retired words, from the last column of the glossary. */
const retired = read('docs/glossary.md')
  .split('\n')
  .filter((line) => /^\| (?!Term |-)/.test(line))
  .flatMap((line) => (line.split('|').at(-2) ?? '').split(','))
  .map((word) => word.trim())
  .filter((word) => word && word !== '–')

test('retired words of the glossary occur nowhere', () => {
  expect([retired.length > 25, files.length > 800]).toEqual([true, true])
  // Ignores addresses and property names such as `/mend` and `mend:`, because integrations and bookmarks use them.
  const pattern = new RegExp(`(?<![\\w./-])(?:${retired.join('|')})(?![\\w:.?-])`, 'i')
  const found = files.flatMap((path) =>
    read(path)
      .split('\n')
      .flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
  )
  expect(found).toEqual([])
})
