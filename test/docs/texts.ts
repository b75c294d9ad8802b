import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript-5'

/**
 * `bun run texts` prints every text that users can read, by file: literals and JSX text that look like a phrase.
 * Reviewers read the list. SQL, class names, paths and patterns are left out.
 */

const ROOT = join(import.meta.dir, '../..')

/** Attributes and properties whose text is not shown to users. */
const NOT_SHOWN = new RegExp(
  '^(?:class(?:Name)?|id|key|name|href|action|method|type|htmlFor|target|rel|d|viewBox|style|autoComplete|data-.*|' +
    'aria-(?:controls|describedby|haspopup|autocomplete|live))$',
)

const isSql = (text: string) =>
  /\b(?:select|update|insert|delete|where|join|from|coalesce|order by|create|replace)\b.*[(=,$]/i.test(text)

/** Returns true for text with a letter that has several words, or is one word with a capital letter. */
const isPhrase = (text: string) =>
  /[a-z]{2}/i.test(text) &&
  !isSql(text) &&
  (/^[A-Z][a-z]+$/.test(text) || /\w\S* \S*\w/.test(text)) &&
  !/^[a-z-]+( [a-z-]+)*$/.test(text) &&
  !/^[.#[<(@*]|^\w+\[|=>|\bconst\b|\bvar\(--/.test(text)

/** Returns the text of a literal, with `${…}` for each expression in it, or null for other nodes. */
function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isJsxText(node)) return node.text
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `\${…}${literal.text}`).join('')
  const isSum = ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken
  const parts = isSum ? [textOf(node.left), textOf(node.right)] : [null]
  return parts.includes(null) ? null : parts.join('')
}

function isShown(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isLiteralTypeNode(parent)) return false
  if (ts.isTaggedTemplateExpression(parent)) return false
  if (ts.isJsxAttribute(parent) || ts.isPropertyAssignment(parent))
    return parent.name !== node && !NOT_SHOWN.test(parent.name.getText())
  if (ts.isBinaryExpression(parent) || ts.isCaseClause(parent))
    return ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.BarBarToken
  return !(ts.isCallExpression(parent) && /(?:querySelector|closest|matches|raw|sql)/.test(parent.expression.getText()))
}

function textsIn(path: string): string[] {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const source = ts.createSourceFile(path, readFileSync(join(ROOT, path), 'utf8'), ts.ScriptTarget.Latest, true, kind)
  const texts: string[] = []
  const visit = (node: ts.Node): void => {
    const text = textOf(node)
    if (text !== null && isShown(node)) texts.push(text.replace(/\s+/g, ' ').trim())
    if (text === null || ts.isTemplateExpression(node)) ts.forEachChild(node, visit)
  }
  visit(source)
  return texts.filter(isPhrase)
}

for (const path of [...new Bun.Glob('{src,views,islands}/**/*.{ts,tsx}').scanSync(ROOT)].sort()) {
  const texts = [...new Set(textsIn(path))]
  if (texts.length) console.log(`${path}\n${texts.map((text) => `  ${text}`).join('\n')}\n`)
}
