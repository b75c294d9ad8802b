/** Small faults that programmers make, and the places of a file in which they are possible. */

export type Mutant = { file: string; line: number; before: string; after: string; text: string }

/** Patterns and their replacements. Most fit both TypeScript and SQL. */
const FAULTS: [found: RegExp, instead: (match: string) => string][] = [
  [/ <= /g, () => ' < '],
  [/ >= /g, () => ' > '],
  [/ < (?=[\w$'(])/g, () => ' <= '],
  [/ > (?=[\w$'(])/g, () => ' >= '],
  [/ === /g, () => ' !== '],
  [/ !== /g, () => ' === '],
  [/ && /g, () => ' || '],
  [/ \|\| (?=[\w!(])/g, () => ' && '],
  [/\btrue\b/g, () => 'false'],
  [/\bfalse\b/g, () => 'true'],
  [/ <> /g, () => ' = '],
  [/ is null\b/g, () => ' is not null'],
  [/ is not null\b/g, () => ' is null'],
  [/\bnot exists\b/g, () => 'exists'],
  [/ and (?=[\w$(])/g, () => ' or '],
  [/\b(asc|desc)\(/g, (match) => (match === 'asc(' ? 'desc(' : 'asc(')],
  [/ (asc|desc)\b(?=[ ,`)])/g, (match) => (match === ' asc' ? ' desc' : ' asc')],
  [/\bgreatest\(/g, () => 'least('],
  [/ \+ 1\b/g, () => ' + 2'],
  [/ - 1\b/g, () => ' - 2'],
  [/(?<=[(, =<>])\d+(?=[),; ]|$)/g, (match) => String(Number(match) + 1)],
  [/\bif \((?!\()[^()]*(\([^()]*\)[^()]*)*\) (?=throw|return)/g, () => 'if (false) '],
  [/^ +[\w.]+ \? (eq|sql|ilike)[^\n]* : undefined,$/gm, () => '    undefined,'],
  [/\.some\(/g, () => '.every('],
  [/\.every\(/g, () => '.some('],
]

/** True if a line contains code. Comments, imports, types and API descriptions do not. */
const isCode = (line: string) =>
  !/^\s*(\/\/|\/?\*|import |export type |type |\} from )/.test(line) && !/\bsummary:|\bdescription:/.test(line)

/** True inside quotation marks, because mutants of texts for users are not useful. */
const isQuoted = (line: string, at: number) => (line.slice(0, at).match(/'/g)?.length ?? 0) % 2 === 1

const transpiler = new Bun.Transpiler({ loader: 'tsx' })

/** Returns all mutants of a file that are still valid TypeScript. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const lines = source.split('\n')
  return lines.flatMap((before, at) => {
    if (!isCode(before)) return []
    return FAULTS.flatMap(([found, instead]) =>
      [...before.matchAll(found)].flatMap((match) => {
        if (isQuoted(before, match.index)) return []
        const after = before.slice(0, match.index) + instead(match[0]) + before.slice(match.index + match[0].length)
        const text = lines.with(at, after).join('\n')
        return after !== before && isProgram(text)
          ? [{ file, line: at + 1, before: before.trim(), after: after.trim(), text }]
          : []
      }),
    )
  })
}

function isProgram(text: string): boolean {
  try {
    transpiler.transformSync(text)
    return true
  } catch {
    return false
  }
}

/** Returns a generator of numbers from 0 to 1 (mulberry32). Equal seeds give equal numbers. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Draws up to `count` mutants at random, but only one for each line. */
export function drawn(mutants: Mutant[], count: number, random: () => number): Mutant[] {
  const remaining = [...mutants]
  const mutantByLine = new Map<string, Mutant>()
  while (mutantByLine.size < count && remaining.length > 0) {
    const [mutant] = remaining.splice(Math.floor(random() * remaining.length), 1) as [Mutant]
    const place = `${mutant.file}:${mutant.line}`
    if (!mutantByLine.has(place)) mutantByLine.set(place, mutant)
  }
  return [...mutantByLine.values()]
}
