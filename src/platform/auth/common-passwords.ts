import { readFileSync } from 'node:fs'
import listPath from '@zxcvbn-ts/language-common/src/passwords.json' with { type: 'file' }

let list: Set<string> | undefined

/** Loaded on first use. The list takes half a megabyte of memory, and most runs never need it. */
function mostCommon(): Set<string> {
  list ??= new Set(JSON.parse(readFileSync(listPath as unknown as string, 'utf8')) as string[])
  return list
}

/** Returns whether a password is among about 49,000 common ones, ignoring case. */
export const isCommonPassword = (password: string): boolean => mostCommon().has(password.toLowerCase())
