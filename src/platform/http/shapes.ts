import { list, object, ref, type Schema, string } from '../docs/schema'

/** Response schemas for the API document. Tests check real responses against these schemas. */

export const CSV = 'text/csv'
export const ZIP = 'application/zip'
export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

export const EVENTS = 'text/event-stream'

export type Answer = { status: number; description: string; content: Record<string, Schema> }

const json = (schema: Schema): Answer['content'] => ({ 'application/json': schema })
const success = { type: 'boolean', const: true } as const

export const data = (schema: Schema, status = 200): Answer[] => [
  {
    status,
    description:
      { 200: 'Success', 201: 'Created', 202: 'Accepted: processing continues in the background' }[status] ?? 'Success',
    content: json(object({ success, data: schema })),
  },
]
export const page = (schema: Schema, more: Record<string, Schema> = {}): Answer[] => [
  {
    status: 200,
    description: 'A page of the list',
    content: json(object({ success, data: list(schema), meta: ref('Meta'), ...more })),
  },
]
/** Response with one page of a list. Clients can read the list by page number or by cursor. */
export const recordPage = (schema: Schema): Answer[] => page(schema, { meta: ref('RecordMeta') })
export const warned = (schema: Schema, ...statuses: number[]): Answer[] =>
  statuses.map((status) => ({
    status,
    description: status === 201 ? 'Created' : 'Changed',
    content: json(object({ success, data: schema, warnings: list(ref('Warning')) }, ['warnings'])),
  }))
export const message = (more: Record<string, Schema> = {}, optional: string[] = []): Answer[] => [
  { status: 200, description: 'Success', content: json(object({ success, message: string, ...more }, optional)) },
]
export const redirects = (description: string): Answer[] => [{ status: 302, description, content: {} }]
export const events = (): Answer[] => [
  { status: 200, description: 'A stream of events', content: { [EVENTS]: string } },
]
const binary: Schema = { type: 'string', format: 'binary' }
const fileContent = (...types: string[]): Answer['content'] =>
  Object.fromEntries(types.map((type) => [type, type === CSV ? string : binary]))
export const file = (...types: string[]): Answer[] => [
  { status: 200, description: 'The file', content: fileContent(...types) },
]
/** Adds file formats to the response of a list or report. Clients choose a format with the query parameter `format`. */
export const orFile = ([answer]: Answer[], ...types: string[]): Answer[] => [
  { ...(answer as Answer), content: { ...(answer as Answer).content, ...fileContent(...types) } },
]
