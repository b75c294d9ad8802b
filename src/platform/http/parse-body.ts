import { Refusal } from '../refusals'

/** Maximum number of fields in a form. The largest form, an editable grid of import rows, has about 1,500 fields. */
const FIELD_LIMIT = 2000
/**
 * Maximum number of values in a JSON body, estimated by counting commas. The largest API call has 5,000 readings of
 * five values each.
 */
const VALUE_LIMIT = 30_000
/** Maximum number of objects in a JSON body. The largest API call has 5,000 readings. */
const OBJECT_LIMIT = 5500
/** Maximum number of fields in one object of a JSON body. Each field costs validation time: 25 ms for 29,000 fields. */
const OBJECT_FIELD_LIMIT = 500
/**
 * Maximum nesting depth of a JSON body. API calls need only a list of objects, and validating a thousand levels takes
 * seconds.
 */
const DEPTH_LIMIT = 20

const unreadable = () => new Refusal(400, 'The request could not be read')

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

/**
 * Parses a form without files.
 * @throws Refusal (413) when the form has too many fields, Refusal (415) when it has a file, Refusal (400) when it is
 * malformed
 */
export async function parseForm(request: Request, mediaType: string, body: Blob): Promise<Fields> {
  if (mediaType === 'multipart/form-data') {
    const fields = await parseMultipart(request, body)
    if (fileCount(fields) > 0) throw new Refusal(415, 'This request must not contain files')
    return fields
  }
  const text = await body.text()
  checkCount(occurrences(Buffer.from(text), '&') + 1)
  return fieldsOf(new URLSearchParams(text))
}

/**
 * Parses a form that can contain files.
 * @throws Refusal (413) when the form has too many fields, Refusal (400) when it is malformed
 */
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

/** Maximum size of the headers of one form part, in bytes. */
const HEAD_LIMIT = 4096
/** Maximum size of the headers of all parts together, in bytes. Rewriting 8 MB of headers takes 0.4 s. */
const HEADS_LIMIT = 512 * 1024

/**
 * Rewrites the headers of a multipart form for Bun's parser.
 * .NET's HttpClient sends names without quotes and repeats the file name as `filename*`, and Bun accepts neither. The
 * function adds the quotes and removes `filename*`.
 * @throws Refusal (413) when the headers are too large
 */
function withQuotedNames(bytes: Buffer, boundary: string): Buffer<ArrayBuffer> {
  const pieces: Buffer[] = []
  let copiedLength = 0
  let headsLength = 0
  const part = `--${boundary}`
  for (let at = bytes.indexOf(part); at >= 0; at = bytes.indexOf(part, at + part.length)) {
    // Search only `HEAD_LIMIT` bytes for the end of the headers. A body can have many boundaries without headers after
    // them, and searching to the end each time would be slow.
    const length = bytes.subarray(at, at + HEAD_LIMIT).indexOf('\r\n\r\n')
    if (length < 0) continue
    headsLength += length
    if (headsLength > HEADS_LIMIT)
      throw new Refusal(413, 'The form is too large, because the names of its fields and files are too long in total')
    const end = at + length
    const head = bytes.toString('utf8', at, end)
    const quoted = head
      .replace(/;\s*filename\*=[^;\r\n]*/gi, '')
      .replace(/;\s*(name|filename)=(?!")([^;\r\n"]*)/gi, '; $1="$2"')
    if (quoted === head) continue
    pieces.push(bytes.subarray(copiedLength, at), Buffer.from(quoted))
    copiedLength = end
  }
  // Return the original bytes if the headers needed no changes. Most clients send correct headers, and copying a large
  // file would block other requests.
  if (pieces.length === 0) return bytes as Buffer<ArrayBuffer>
  return Buffer.concat([...pieces, bytes.subarray(copiedLength)]) as Buffer<ArrayBuffer>
}

export const textLength = (fields: Fields): number =>
  Object.values(fields)
    .flat()
    .reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)

export const fileCount = (fields: Fields): number =>
  Object.values(fields)
    .flat()
    .filter((value) => value instanceof Blob).length

/**
 * Returns the boundary in a `Content-Type` header.
 * Returns undefined if the header has no boundary, several boundaries or an invalid boundary. A boundary can contain
 * the characters that RFC 2046 allows, except the space.
 */
function boundaryOf(type: string): string | undefined {
  const boundaries = type
    .split(';')
    .flatMap((part) => /^\s*boundary=(?:"([^"]*)"|(\S*))\s*$/i.exec(part)?.slice(1) ?? [])
  const [boundary, ...others] = boundaries.filter((text) => text !== undefined)
  return others.length === 0 && boundary && /^[\w'()+,./:=?-]{1,70}$/.test(boundary) ? boundary : undefined
}

/**
 * Refuses a form with too many fields before it is parsed. Parsing 200,000 fields takes seconds.
 * @throws Refusal (413)
 */
function checkCount(fields: number) {
  if (fields > FIELD_LIMIT) throw new Refusal(413, `The form has more than ${FIELD_LIMIT} fields`)
}

function occurrences(bytes: Buffer, part: string): number {
  let count = 0
  for (let at = bytes.indexOf(part); at >= 0 && count <= FIELD_LIMIT + 1; at = bytes.indexOf(part, at + part.length))
    count++
  return count
}

/**
 * @throws Refusal (400) when the body is not JSON or nested too deeply
 * @throws Refusal (413) when the body has too many values
 */
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

/**
 * Checks an unparsed JSON text for deep nesting and many values.
 * Without this check, validating the parsed values could take seconds.
 * @throws Refusal (400) when the JSON is nested too deeply
 * @throws Refusal (413) when it has too many values, objects or fields in one object
 */
function checkShape(text: string) {
  let depth = 0
  let values = 0
  let objects = 0
  /** Number of commas so far in the open object, by depth. Null at a depth where a list is open. */
  const commas: (number | null)[] = []
  for (let at = 0, isQuoted = false; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (isQuoted) {
      if (sign === BACKSLASH) at++
      else if (sign === QUOTE) isQuoted = false
    } else if (sign === QUOTE) isQuoted = true
    else if (sign === OPEN_LIST) commas[++depth] = null
    else if (sign === OPEN_OBJECT) {
      commas[++depth] = 0
      if (++objects > OBJECT_LIMIT) throw new Refusal(413, `The request has more than ${OBJECT_LIMIT} objects`)
    } else if (sign === CLOSE_LIST || sign === CLOSE_OBJECT) depth--
    else if (sign === COMMA) {
      if (++values > VALUE_LIMIT) throw new Refusal(413, `The request has more than ${VALUE_LIMIT} values`)
      const fields = commas[depth]
      if (typeof fields !== 'number') continue
      commas[depth] = fields + 1
      if (fields + 2 > OBJECT_FIELD_LIMIT)
        throw new Refusal(413, `An object in the request has more than ${OBJECT_FIELD_LIMIT} fields`)
    }
    if (depth > DEPTH_LIMIT) throw unreadable()
  }
}
