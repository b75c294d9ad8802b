import type { Toast } from '../../../views/ui/toasts'
import type { Config } from '../config'
import { isOwnPath } from '../paths'
import { cookie, toastCookieName } from './request'

/**
 * Message after a change.
 * `undo` is the URL that undoes it, `row` the changed record, `made` a new one; the list highlights either. `left` are
 * selected records that were not changed.
 */
export type Message = {
  text: string
  tone?: Toast['tone']
  undo?: string
  row?: number | undefined
  made?: number
  left?: number[]
}

export const failed = (text: string): Message => ({ text, tone: 'danger' })

/** In characters, so that text and ids fit in a cookie. */
const TEXT_LIMIT = 300
const LEFT_LIMIT = 2500

export const rowId = (id: number) => `row-${id}`

export function messageCookie({ text, tone = 'success', undo = '', row, made, left = [] }: Message): string {
  // The cut can split a surrogate pair, which no cookie can hold.
  const words = text.replaceAll('\n', ' ').slice(0, TEXT_LIMIT).toWellFormed()
  // All or none: if only some rows were selected again, the user would forget the others.
  const ids = left.join('.')
  return [tone, words, undo, row ?? made ?? '', ids.length <= LEFT_LIMIT ? ids : ''].join('\n').trimEnd()
}

/**
 * Reads the pending message from its cookie.
 * It can contain only text and a path of ours, and is escaped like any text.
 */
export function waitingToast(request: Request, config: Config): Toast | null {
  const [tone = '', text = '', undo = '', row = '', left = ''] = (
    cookie(request, toastCookieName(request, config)) ?? ''
  ).split('\n')
  if (!text) return null
  return {
    tone: tone === 'danger' ? 'danger' : 'success',
    text: text.slice(0, TEXT_LIMIT),
    ...(isOwnPath(undo) ? { undo } : {}),
    ...(/^\d+$/.test(row) ? { row: rowId(Number(row)) } : {}),
    ...(/^[\d.]+$/.test(left) ? { left } : {}),
  }
}
