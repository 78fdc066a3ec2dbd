import { html } from 'hono/html'
import type { OpenApiDocument, Operation, Parameter, ResponseObject } from './document-shape.ts'
import type { JsonSchema } from './json-schema.ts'

interface Call {
  method: string
  path: string
  operation: Operation
}

/** All calls of a chapter, in the order of the contract. */
export function callsOf(document: OpenApiDocument, tag: string): Call[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

/** One call as a line that opens to its input and its answers. */
export function callEntry({ method, path, operation }: Call) {
  return html`<details class="call" id="${operation.operationId}">
    <summary>
      <span class="method ${method.toLowerCase()}">${method}</span>
      <code class="path">${path}</code>
      <span class="says">${operation.summary}</span>
    </summary>
    <div class="inside">
      <p class="facts">${facts(operation)}</p>
      ${parameterTable(operation.parameters)} ${requestPart(operation)}
      ${Object.entries(operation.responses)
        .filter(([status]) => Number(status) < 400)
        .map(([status, response]) => answerPart(status, response))}
      ${failureTable(operation)}
    </div>
  </details>`
}

function facts({ security, 'x-rate-limit': limit }: Operation): string {
  const [scheme] = security.flatMap((names) => Object.keys(names))
  const who =
    scheme === undefined
      ? 'Anybody may call it.'
      : scheme === 'bearer'
        ? 'Needs a bearer token.'
        : 'Called by the payment provider, signed in X-Razorpay-Signature.'
  return limit === undefined ? who : `${who} At most ${limit.calls} calls a minute.`
}

function parameterTable(parameters: Parameter[]) {
  if (parameters.length === 0) return ''
  const rows = parameters.map(({ name, schema, required }) => ({
    name,
    schema,
    isRequired: required,
  }))
  return html`<h3>Address and headers</h3>
    <table>
      <tbody>
        ${fieldRows(rows)}
      </tbody>
    </table>`
}

function requestPart({ requestBody }: Operation) {
  const content = requestBody?.content['application/json']
  if (content === undefined) return ''
  return html`<h3>Body</h3>
    ${bodyFields(content.schema)
      .filter((fields) => fields.length > 0)
      .map(
        (fields) =>
          html`<table>
            <tbody>
              ${fieldRows(fields)}
            </tbody>
          </table>`,
      )}
    ${exampleBlock(content.example)}`
}

function answerPart(status: string, response: ResponseObject) {
  return html`<h3>Answer ${status}</h3>
    ${
      response.content === undefined
        ? html`<p>${response.description}</p>`
        : exampleBlock(response.content['application/json'].example)
    }`
}

function exampleBlock(example: unknown) {
  if (example === undefined) return ''
  return html`<pre tabindex="0"><code>${JSON.stringify(example, null, 2)}</code></pre>`
}

function failureTable({ responses }: Operation) {
  const rows = Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, response]) =>
      Object.entries(response.content?.['application/json'].examples ?? {}).map(
        ([code, { value }]) =>
          html`<tr>
            <td>${status}</td>
            <td><code>${code}</code><br /><small>${sentenceOf(value)}</small></td>
          </tr>`,
      ),
    )
  return html`<h3>Failures</h3>
    <table>
      <tbody>
        ${rows}
      </tbody>
    </table>`
}

function sentenceOf(example: unknown): string {
  return typeof example === 'object' && example !== null && 'message' in example
    ? String(example.message)
    : ''
}

interface Field {
  name: string
  schema: JsonSchema
  isRequired: boolean
}

/** The fields of an object as rows: name; type and what bounds it. */
function fieldRows(fields: Field[]) {
  return fields.map(
    ({ name, schema, isRequired }) =>
      html`<tr>
        <th scope="row"><code>${name}</code>${isRequired ? '' : html` <small>optional</small>`}</th>
        <td>${typeName(schema)}<br /><small>${boundsOf(schema)}</small></td>
      </tr>`,
  )
}

/** The fields of a body: one list for each alternative of a union. */
function bodyFields(schema: JsonSchema): Field[][] {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return choices.flatMap((choice) => bodyFields(asSchema(choice)))
  const { properties = {}, required = [] } = schema
  return [
    Object.entries(properties).map(([name, field]) => ({
      name,
      schema: asSchema(field),
      isRequired: required.includes(name),
    })),
  ]
}

function asSchema(schema: JsonSchema | boolean): JsonSchema {
  return typeof schema === 'boolean' ? {} : schema
}

function typeName(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return 'one of'
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) {
    return [...new Set(choices.map((choice) => typeName(asSchema(choice))))].join(' or ')
  }
  return schema.format === undefined ? String(schema.type ?? 'anything') : schema.format
}

function boundsOf(schema: JsonSchema): string {
  const { minLength, maxLength, minimum, maximum } = schema
  return [
    schema.enum?.join(', '),
    span(minLength, maxLength, ' characters'),
    span(minimum, maximum, ''),
    schema.default === undefined ? undefined : `default ${JSON.stringify(schema.default)}`,
  ]
    .filter(Boolean)
    .join('; ')
}

function span(from: number | undefined, to: number | undefined, unit: string): string | undefined {
  if (to === undefined) return from === undefined ? undefined : `from ${from}${unit}`
  if (from === undefined || from === to)
    return `${from === to ? '' : 'up to '}${grouped(to)}${unit}`
  return `${grouped(from)} to ${grouped(to)}${unit}`
}

function grouped(count: number): string {
  return count.toLocaleString('en-US')
}
