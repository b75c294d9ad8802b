import { Refusal } from '../refusals'

/** The largest grid of an import has about 1,500 fields. */
const FIELD_LIMIT = 2000
/** Commas between values: the largest call has 5,000 readings of five values. */
const VALUE_LIMIT = 30_000
/** No call takes data nested deeper than a list of objects; validating a thousand levels takes seconds. */
const DEPTH_LIMIT = 20

const unreadable = () => new Refusal(400, 'The request could not be read')

/** Fields of a form by name; a name that was sent several times has all of its values. */
type Fields = Record<string, unknown>

function fieldsOf(entries: Iterable<[string, unknown]>): Fields {
  const fields = new Map<string, unknown[]>()
  let count = 0
  for (const [name, value] of entries) {
    checkCount(++count)
    const earlier = fields.get(name)
    if (earlier) earlier.push(value)
    else fields.set(name, [value])
  }
  return Object.fromEntries([...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values]))
}

/** A form without files. @throws Refusal: 413 for too many fields, 415 for a file, 400 for what is no form */
export async function parseForm(request: Request, mediaType: string, body: Blob): Promise<Fields> {
  if (mediaType === 'multipart/form-data') {
    const fields = await parseMultipart(request, body)
    if (
      Object.values(fields)
        .flat()
        .some((value) => value instanceof Blob)
    )
      throw new Refusal(415, 'Files are not accepted here')
    return fields
  }
  const text = await body.text()
  checkCount(occurrences(Buffer.from(text), '&') + 1)
  return fieldsOf(new URLSearchParams(text))
}

/** A form that may carry files. @throws Refusal: 413 for too many fields, 400 for what is no form */
export async function parseMultipart(request: Request, body: Blob): Promise<Fields> {
  const boundary = boundaryOf(request.headers.get('content-type') ?? '')
  if (!boundary) throw unreadable()
  const type = `multipart/form-data; boundary="${boundary}"`
  const bytes = Buffer.from(await body.arrayBuffer())
  checkCount(occurrences(bytes, `--${boundary}`) - 1)
  const form = await new Response(withQuotedNames(bytes, boundary), { headers: { 'content-type': type } })
    .formData()
    .catch(() => {
      throw unreadable()
    })
  return fieldsOf(form)
}

/** In bytes: the longest headers of one part. */
const HEAD_LIMIT = 4096

/**
 * The body with quotes around the names in the heads of its parts. .NET's HttpClient leaves them out, and repeats the
 * file's name as `filename*`; Bun's parser takes neither.
 */
function withQuotedNames(bytes: Buffer, boundary: string): Buffer<ArrayBuffer> {
  const pieces: Buffer[] = []
  let copied = 0
  for (let at = bytes.indexOf(`--${boundary}`); at >= 0; at = bytes.indexOf(`--${boundary}`, at + boundary.length)) {
    const end = bytes.indexOf('\r\n\r\n', at)
    if (end < 0 || end - at > HEAD_LIMIT) continue
    const head = bytes.toString('utf8', at, end)
    const quoted = head
      .replace(/;\s*filename\*=[^;\r\n]*/gi, '')
      .replace(/;\s*(name|filename)=(?!")([^;\r\n"]*)/gi, '; $1="$2"')
    if (quoted === head) continue
    pieces.push(bytes.subarray(copied, at), Buffer.from(quoted))
    copied = end
  }
  return Buffer.concat([...pieces, bytes.subarray(copied)]) as Buffer<ArrayBuffer>
}

/** How many characters the fields of a form have that are no files. */
export const textLength = (fields: Fields): number =>
  Object.values(fields)
    .flat()
    .reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)

/** The one boundary parameter of a media type, in the characters that RFC 2046 allows, without blanks. */
function boundaryOf(type: string): string | undefined {
  const found = type.split(';').flatMap((part) => /^\s*boundary=(?:"([^"]*)"|(\S*))\s*$/i.exec(part)?.slice(1) ?? [])
  const [boundary, ...others] = found.filter((text) => text !== undefined)
  return others.length === 0 && boundary && /^[\w'()+,./:=?-]{1,70}$/.test(boundary) ? boundary : undefined
}

/** Counted before the body is parsed, because parsing 200,000 fields takes seconds. @throws a 413 refusal */
function checkCount(fields: number) {
  if (fields > FIELD_LIMIT) throw new Refusal(413, `The form has more than ${FIELD_LIMIT} fields`)
}

/** How often `part` occurs in `bytes`, up to just above the limit of fields. */
function occurrences(bytes: Buffer, part: string): number {
  let count = 0
  for (let at = bytes.indexOf(part); at >= 0 && count <= FIELD_LIMIT + 1; at = bytes.indexOf(part, at + part.length))
    count++
  return count
}

/** @throws Refusal: 400 for what is no JSON or nested too deeply, 413 for too many values */
export async function parseJson(body: Blob): Promise<unknown> {
  const text = await body.text()
  checkShape(text)
  try {
    return JSON.parse(text)
  } catch {
    throw unreadable()
  }
}

const [QUOTE, COMMA, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [34, 44, 92, 91, 93, 123, 125]

/** Checked before the text is parsed, because validating what comes of it would take seconds. @throws Refusal */
function checkShape(text: string) {
  let depth = 0
  let values = 0
  for (let at = 0, isQuoted = false; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (isQuoted) {
      if (sign === BACKSLASH) at++
      else if (sign === QUOTE) isQuoted = false
    } else if (sign === QUOTE) isQuoted = true
    else if (sign === OPEN_LIST || sign === OPEN_OBJECT) depth++
    else if (sign === CLOSE_LIST || sign === CLOSE_OBJECT) depth--
    else if (sign === COMMA && ++values > VALUE_LIMIT)
      throw new Refusal(413, `The request has more than ${VALUE_LIMIT} values`)
    if (depth > DEPTH_LIMIT) throw unreadable()
  }
}
