import type { Toast } from '../../../views/ui/toasts'
import type { Config } from '../config'
import { isOwnPath } from '../paths'
import { cookie, toastCookieName } from './request'

/**
 * Message that the next page shows after a change.
 * - `undo`: URL that undoes the change
 * - `row` or `made`: id of the changed or new record, which the list on the next page highlights
 * - `skippedIds`: ids of the selected records that the change skipped
 */
export type Message = {
  text: string
  tone?: Toast['tone']
  undo?: string
  row?: number | undefined
  made?: number
  skippedIds?: number[]
}

export const failed = (text: string): Message => ({ text, tone: 'danger' })

/** Maximum length of the message in characters. The limit makes the text and the ids fit in a cookie. */
const TEXT_LIMIT = 300
const LEFT_LIMIT = 2500

export const rowId = (id: number) => `row-${id}`

export function messageCookie({ text, tone = 'success', undo = '', row, made, skippedIds = [] }: Message): string {
  // Cutting the text can split a surrogate pair, and half a pair cannot be part of a cookie. `toWellFormed` replaces
  // such a half.
  const words = text.replaceAll('\n', ' ').slice(0, TEXT_LIMIT).toWellFormed()
  // If not all ids fit, store none. The next page selects the rows with these ids, and users would not notice if it
  // selected only some of them.
  const ids = skippedIds.join('.')
  return [tone, words, undo, row ?? made ?? '', ids.length <= LEFT_LIMIT ? ids : ''].join('\n').trimEnd()
}

/**
 * Reads the message for the next page from its cookie.
 * The cookie is untrusted. Accepts only plain text, which is escaped, and links to paths of this program.
 */
export function waitingToast(request: Request, config: Config): Toast | null {
  const [tone = '', text = '', undo = '', row = '', skippedIds = ''] = (
    cookie(request, toastCookieName(request, config)) ?? ''
  ).split('\n')
  if (!text) return null
  return {
    tone: tone === 'danger' ? 'danger' : 'success',
    text: text.slice(0, TEXT_LIMIT),
    ...(isOwnPath(undo) ? { undo } : {}),
    ...(/^\d+$/.test(row) ? { row: rowId(Number(row)) } : {}),
    ...(/^[\d.]+$/.test(skippedIds) ? { skippedIds } : {}),
  }
}
