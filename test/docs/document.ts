import type { Elysia } from 'elysia'

/** The parts of the OpenAPI document that the generators and the comparison read. */
export type ApiDocument = {
  info: { title: string; version: string; description: string }
  paths: Record<string, Record<string, ApiOperation>>
  components: { schemas: Record<string, ApiSchema> }
}

export type ApiOperation = {
  tags: string[]
  summary: string
  description?: string
  security?: unknown[]
  parameters: {
    name: string
    in: 'path' | 'query' | 'header'
    required: boolean
    schema: ApiSchema
    example?: string | number
  }[]
  requestBody?: { required: boolean; content: Record<string, { schema: ApiSchema; example?: unknown }> }
  responses: Record<string, { content?: Record<string, { schema: ApiSchema }> }>
}

export type ApiSchema = {
  $ref?: string
  type?: string | string[]
  format?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: ApiSchema[]
  oneOf?: ApiSchema[]
  properties?: Record<string, ApiSchema>
  required?: string[]
  items?: ApiSchema
  additionalProperties?: boolean | ApiSchema
  description?: string
  [limit: `max${string}` | `min${string}`]: number
}

export async function readDocument(app: Elysia): Promise<ApiDocument> {
  const response = await app.handle(new Request('http://localhost/api/openapi.json'))
  return (await response.json()) as ApiDocument
}
