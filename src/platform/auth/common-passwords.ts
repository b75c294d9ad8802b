import { readFileSync } from 'node:fs'
import listPath from '@zxcvbn-ts/language-common/src/passwords.json' with { type: 'file' }

let list: Set<string> | undefined

/** Half a megabyte that most runs never need, so it is read when the first password is chosen. */
function mostCommon(): Set<string> {
  list ??= new Set(JSON.parse(readFileSync(listPath as unknown as string, 'utf8')) as string[])
  return list
}

/** Is it one of some 49,000 passwords that guessers try first, whatever its case? */
export const isCommonPassword = (password: string): boolean => mostCommon().has(password.toLowerCase())
