import { html } from 'hono/html'
import type { JsonSchema } from './json-schema.ts'

interface Field {
  name: string
  schema: JsonSchema
  isRequired: boolean
}

/** The fields of an object as rows: name; type and what bounds it. */
export function fieldRows(fields: Field[]) {
  return fields.map(
    ({ name, schema, isRequired }) =>
      html`<tr>
        <th scope="row"><code>${name}</code>${isRequired ? '' : html` <small>optional</small>`}</th>
        <td>${typeName(schema)}<br /><small>${boundsOf(schema)}</small></td>
      </tr>`,
  )
}

/** The fields of a body; of a choice between bodies, those of each in turn. */
export function bodyFields(schema: JsonSchema): Field[][] {
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
