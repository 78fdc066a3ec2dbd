import type { JsonSchema } from './json-schema.ts'

/** The parts of OpenAPI 3.1 that more than one function writes. */
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

/** A call for its readers: what it does, and one that works with what comes back. A test parses each with its schemas. */
export interface Example {
  summary: string
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  success?: unknown
}
