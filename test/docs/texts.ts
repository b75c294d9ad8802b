import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * `bun run texts` prints every text that users can read, by file: literals and JSX text that look like a phrase.
 * Reviewers read the list. SQL, class names, paths and patterns are left out.
 */

const ROOT = join(import.meta.dir, '../..')

const withoutComments = (source: string) =>
  source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`])\/\/[^\n]*/g, '$1')

const isSql = (text: string) =>
  /\b(select|update|insert|delete|where|join|from|coalesce|order by|create)\b.*[(=,$]/i.test(text)

/** A phrase has a letter, and a blank between words or a capital at its beginning. */
const isPhrase = (text: string) =>
  /[a-z]{2}/i.test(text) &&
  (/^[A-Z][a-z]+$/.test(text) || /\w\S* \S*\w/.test(text)) &&
  !isSql(text) &&
  !/^[a-z-]+( [a-z-]+)*$/.test(text)

function textsIn(source: string): string[] {
  const code = withoutComments(source).replace(/(['"`]) \+\n\s*\1/g, '')
  const literals = [...code.matchAll(/(['"`])((?:\\.|(?!\1)[^\\])*)\1/g)]
    .filter((match) => !/(?:from|import\()\s*$/.test(code.slice(Math.max(0, match.index - 8), match.index)))
    .map(([, , text = '']) => text)
  const jsx = [...code.matchAll(/>([^<>{}=]*[A-Za-z][^<>{}=]*)[<{]/g)].map(([, text = '']) => text)
  return [...literals, ...jsx]
    .map((text) =>
      text
        .replace(/\\(['"`])/g, '$1')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter(isPhrase)
}

for (const path of [...new Bun.Glob('{src,views,islands}/**/*.{ts,tsx}').scanSync(ROOT)].sort()) {
  const texts = [...new Set(textsIn(readFileSync(join(ROOT, path), 'utf8')))]
  if (texts.length) console.log(`${path}\n${texts.map((text) => `  ${text}`).join('\n')}\n`)
}
