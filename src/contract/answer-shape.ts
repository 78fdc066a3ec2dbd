import { z } from './zod.ts'

/**
 * The required shape of an answer, as plain data: the part of a schema that a browser needs. It has no lengths and
 * patterns, because the server has already checked its own answers.
 */
export type Shape =
  | 'string'
  | 'number'
  | 'boolean'
  | 'unknown'
  | { readonly nullable: Shape }
  | { readonly optional: Shape }
  | { readonly list: Shape }
  /** A list with a fixed number of values, each of its own shape. */
  | { readonly row: readonly Shape[] }
  | { readonly record: Shape }
  | Choice
  | ObjectShape

interface ObjectShape {
  readonly fields: Readonly<Record<string, Shape>>
}

/** One of these values. `otherwise` stands in for a value that is newer than the page. */
export interface Choice {
  readonly oneOf: readonly unknown[]
  readonly otherwise?: unknown
  /** Whether invalid list items are replaced by `otherwise` instead of being dropped. */
  readonly isKept?: boolean
}

/** The shape of a whole answer. `of` is never set: it ties the shape to the type that it reads. */
export type AnswerShape<Answer> = ObjectShape & { readonly of?: Answer }

/** The shape of an answer's schema. Throws for a kind of schema that no answer has used so far. */
export function answerShape<S extends z.ZodType>(schema: S): AnswerShape<z.output<S>> {
  const shape = shapeOf(schema)
  if (typeof shape === 'object' && 'fields' in shape) return shape
  throw new Error('An answer is an object')
}

function shapeOf(schema: z.core.$ZodType, name = ''): Shape {
  if (schema instanceof z.ZodObject) return { fields: fieldsOf(schema.shape) }
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat) return 'string'
  if (schema instanceof z.ZodNumber) return 'number'
  if (schema instanceof z.ZodBoolean) return 'boolean'
  if (schema instanceof z.ZodUnknown) return 'unknown'
  if (schema instanceof z.ZodNullable) return { nullable: shapeOf(schema.unwrap(), name) }
  if (schema instanceof z.ZodOptional) return { optional: shapeOf(schema.unwrap(), name) }
  if (schema instanceof z.ZodArray) return { list: shapeOf(schema.element) }
  if (schema instanceof z.ZodTuple) return { row: schema.def.items.map((item) => shapeOf(item)) }
  if (schema instanceof z.ZodRecord) return { record: shapeOf(schema.valueType) }
  if (schema instanceof z.ZodLiteral) return { oneOf: [...schema.values] }
  if (schema instanceof z.ZodEnum) {
    const oneOf = schema.options
    // Money is never shown in another currency than its own.
    return name === 'currency' ? { oneOf } : { oneOf, otherwise: oneOf[0] }
  }
  if (schema instanceof z.ZodCatch) {
    const inner = schema.unwrap()
    if (inner instanceof z.ZodEnum) {
      return { oneOf: inner.options, otherwise: schema.parse(undefined), isKept: true }
    }
  }
  throw new Error(`No answer had a schema of the type "${schema._zod.def.type}" so far`)
}

function fieldsOf(shape: Readonly<Record<string, z.core.$ZodType>>): ObjectShape['fields'] {
  return Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [name, shapeOf(field, name)]),
  )
}
