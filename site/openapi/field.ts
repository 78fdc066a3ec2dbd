import type { JsonSchema } from './json-schema.ts'

/** A parameter or a field of a body, as the page lists it. */
export interface Field {
  name: string
  schema: JsonSchema
  isRequired: boolean
}

/** The fields of a body: one list for each alternative of a union. */
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

/** The type of a field: a type, a format, or the values of an enum. */
export function typeName(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return 'one of'
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) {
    return [...new Set(choices.map((choice) => typeName(asSchema(choice))))].join(' or ')
  }
  return schema.format === undefined ? String(schema.type ?? 'anything') : schema.format
}

/** The limits of a field: its values, its length or range, and its default. */
export function boundsOf(schema: JsonSchema): string {
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
