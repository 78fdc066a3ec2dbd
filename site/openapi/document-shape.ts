import type { JsonSchema } from './json-schema.ts'

/** As much of OpenAPI 3.1 as we write. */
export interface OpenApiDocument {
  openapi: '3.1.1'
  info: {
    title: string
    version: string
    description: string
    contact: { name: string; email: string }
  }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, JsonSchema>
    securitySchemes: Record<string, Record<string, string>>
    headers: Record<string, { description: string; schema: JsonSchema }>
  }
}

export interface Operation {
  operationId: string
  summary: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, ResponseObject>
  'x-rate-limit'?: RateLimit
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
  example?: unknown
}

export interface ResponseObject {
  description: string
  headers?: Record<string, { $ref: string } | { description: string; schema: JsonSchema }>
  content?: Content
}

interface Media {
  schema: JsonSchema
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

export interface Content {
  'application/json': Media
  'application/x-www-form-urlencoded'?: Media
}

/** Calls a minute for each caller (see `limitBy` of an endpoint). */
interface RateLimit {
  name: string
  calls: number
  seconds: number
}

/** A call for its readers: what it does, and one that works with what comes back. A test parses each with its schemas. */
export interface Example {
  summary: string
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  success?: unknown
}
