import { z } from 'zod'
import { Schema, typeOf } from './type-of.ts'

const Json = z.object({ schema: Schema })
const Content = z.object({ 'application/json': Json })

const Operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(
    z.object({
      name: z.string(),
      in: z.enum(['path', 'query', 'header']),
      required: z.boolean(),
      schema: Schema,
    }),
  ),
  requestBody: z.object({ required: z.boolean(), content: Content }).optional(),
  responses: z.record(z.string(), z.object({ content: Content.optional() })),
})
type Operation = z.infer<typeof Operation>

const Document = z.object({
  openapi: z.string().startsWith('3.1.'),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ schemas: z.record(z.string(), Schema) }),
})

/** Generates a TypeScript client from the OpenAPI document alone: one type per schema, one function per operation. */
export function generateClient(document: unknown): string {
  const { paths, components } = Document.parse(document)
  const types = Object.entries(components.schemas).map(
    ([name, schema]) => `export type ${name} = ${typeOf(schema)}`,
  )
  const functions = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => functionOf(path, method, operation)),
  )
  return [RUNTIME, ...types, ...functions].join('\n\n')
}

const RUNTIME = `export interface Connection { origin: string; bearer?: string; headers?: Record<string, string> }

export class CallFailed extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.code)
    this.failure = failure
  }
}

interface Parts { path: string; method: string; query: Record<string, unknown>; headers: Record<string, unknown>; body: unknown }

async function send(to: Connection, { path, method, query, headers, body }: Parts): Promise<any> {
  const url = new URL(path, to.origin)
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value))
  const sent: Record<string, string> = { ...to.headers }
  if (to.bearer !== undefined) sent['authorization'] = 'Bearer ' + to.bearer
  if (body !== undefined) sent['content-type'] = 'application/json'
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) sent[name] = String(value)
  const response = await fetch(url, { method, headers: sent, redirect: 'manual', ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  if (response.status >= 300 && response.status < 400) return undefined
  const answer = await response.json()
  if (!response.ok) throw new CallFailed(answer)
  return answer
}`

function functionOf(path: string, method: string, operation: Operation): string {
  const { operationId, summary, responses } = operation
  const answer = responses['200']?.content?.['application/json'].schema
  const filled = path.replaceAll(/\{(\w+)\}/g, '${encodeURIComponent(String(input.$1))}')
  return `/** ${summary} */
export function ${operationId}(to: Connection, input: ${inputType(operation)}): Promise<${answer ? typeOf(answer) : 'void'}> {
  return send(to, {
    path: \`${filled}\`,
    method: '${method.toUpperCase()}',
    query: { ${pick(operation, 'query')} },
    headers: { ${pick(operation, 'header')} },
    body: ${operation.requestBody ? 'input.body' : 'undefined'},
  })
}`
}

function inputType({ parameters, requestBody }: Operation): string {
  const fields = parameters.map(
    ({ name, required, schema }) =>
      `${JSON.stringify(name)}${required ? '' : '?'}: ${typeOf(schema)}`,
  )
  const body = requestBody?.content['application/json'].schema
  const mark = requestBody?.required ? '' : '?'
  return `{ ${[...fields, ...(body ? [`body${mark}: ${typeOf(body)}`] : [])].join('; ')} }`
}

function pick({ parameters }: Operation, place: 'query' | 'header'): string {
  return parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name }) => `${JSON.stringify(name)}: input[${JSON.stringify(name)}]`)
    .join(', ')
}
