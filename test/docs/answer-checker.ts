import Ajv2020 from 'ajv/dist/2020'
import type { Cast } from '../support/cast'

export type Operation = Document['paths'][string][string]
export type Document = {
  tags: { name: string }[]
  components: { schemas: Record<string, object> }
  paths: Record<
    string,
    Record<
      string,
      {
        summary: string
        requestBody?: { content: Record<string, { example?: object }> }
        parameters: { name: string; in: string; required: boolean; example?: string | number }[]
        operationId: string
        tags: string[]
        responses: Record<string, { content?: Record<string, { schema: object }> }>
      }
    >
  >
}

export const readDocument = async ({ stranger }: Cast) =>
  (await stranger.get('/openapi.json')).body as unknown as Document

/**
 * Returns a copy of a schema that refuses undocumented properties.
 * Its references point to the components of the document.
 */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict)
  if (typeof schema !== 'object' || schema === null) return schema
  const inside = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, key === '$ref' ? `document${value}` : strict(value)]),
  )
  return 'properties' in inside && !('additionalProperties' in inside)
    ? { ...inside, additionalProperties: false }
    : inside
}

/** Returns a function that lists the differences between a response and its documented schema. */
export function answerChecker({ components }: Document) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  ajv.addSchema({ $id: 'document', components: strict(components) as object })
  return (
    operation: Operation,
    { status, headers, body }: { status: number; headers: Headers; body: unknown },
  ): string[] => {
    const type = (headers.get('content-type') ?? '').split(';')[0] as string
    const schema = operation.responses[String(status)]?.content?.[type]?.schema
    if (!schema) return [`${status} ${type} is not documented`]
    if (type !== 'application/json') return []
    const validate = ajv.compile(strict(schema) as object)
    return validate(body)
      ? []
      : (validate.errors ?? []).map(
          ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
        )
  }
}

/** Creates the records to which the examples of the document refer. */
export async function createExampleRecords({ ben, ada, phoenix, tempe, desert }: Cast) {
  await ben.post('/transports', {
    unit_number: '100200',
    location_out_id: phoenix,
    location_in_id: tempe,
    move_date: '2026-03-10',
    transport_company_id: desert,
  })
  await ben.post('/osl', {
    unit_number: '100200',
    osl_date: '2026-03-01',
    location_id: phoenix,
    problem: 'Windshield cracked on the left',
  })
  await ben.post('/registrations', {
    unit_number: '100200',
    location_id: phoenix,
    plate_number: 'OLD1',
    state_province: 'AZ',
    date_issued: '2025-01-01',
    date_expires: '2025-12-31',
  })
  await ben.post('/titles', { unit_number: '100200', location_id: phoenix, submitted_date: '2026-02-01' })
  await ben.post('/vehicles', { unit_number: '100200', vin: '1HGCM82633A004352' })
  await ada.post('/vendors', { vendor_name: 'Bolt & Co' })
  await ben.post('/osl/1/rates', { from: '2026-03-05', daily_rate: 30 })
  await ada.post('/views', { list: 'due', name: 'Mine', query: '' })
}
