import type { Toast } from '../../../views/ui/toasts'
import type { Config } from '../config'
import { isOwnPath } from '../paths'
import { cookie, toastCookieName } from './request'

/**
 * What is said after a change. `undo` is where a form takes it back, `row` the record that changed and `made` one that
 * is new; the list shows either. `left` are those that were ticked and not changed.
 */
export type Message = {
  text: string
  tone?: Toast['tone']
  undo?: string
  row?: number | undefined
  made?: number
  left?: number[]
}

/** The message of a change that was not made. */
export const failed = (text: string): Message => ({ text, tone: 'danger' })

/** A cookie holds so many letters of words, and of ids. */
const TEXT_LIMIT = 300
const LEFT_LIMIT = 2500

/** The id of a record's row, in every list. */
export const rowId = (id: number) => `row-${id}`

/** A message on its way to the next page, as the value of a cookie. */
export function messageCookie({ text, tone = 'success', undo = '', row, made, left = [] }: Message): string {
  // Cut, but never through a letter of two halves, which no cookie can hold.
  const words = text.replaceAll('\n', ' ').slice(0, TEXT_LIMIT).toWellFormed()
  // All or none: with a part of them ticked, the rest would be forgotten.
  const ids = left.join('.')
  return [tone, words, undo, row ?? made ?? '', ids.length <= LEFT_LIMIT ? ids : ''].join('\n').trimEnd()
}

/** The message that waits for this page. Only words and an own path travel, escaped like any text. */
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
