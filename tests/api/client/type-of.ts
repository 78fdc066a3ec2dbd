import { z } from 'zod'

/** The part of JSON Schema that the document uses. */
export interface Schema {
  $ref?: string | undefined
  type?: string | string[] | undefined
  const?: unknown
  enum?: unknown[] | undefined
  anyOf?: Schema[] | undefined
  oneOf?: Schema[] | undefined
  allOf?: Schema[] | undefined
  properties?: Record<string, Schema> | undefined
  required?: string[] | undefined
  items?: Schema | undefined
  additionalProperties?: Schema | boolean | undefined
}

export const Schema: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    const: z.unknown().optional(),
    enum: z.array(z.unknown()).optional(),
    anyOf: z.array(Schema).optional(),
    oneOf: z.array(Schema).optional(),
    allOf: z.array(Schema).optional(),
    properties: z.record(z.string(), Schema).optional(),
    required: z.array(z.string()).optional(),
    items: Schema.optional(),
    additionalProperties: z.union([z.boolean(), Schema]).optional(),
  }),
)

/** The TypeScript type that a schema describes. */
export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'unknown'
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one)).join(' | ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return choices.map(typeOf).join(' | ')
  if (schema.allOf !== undefined) return schema.allOf.map(typeOf).join(' & ')
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return `(${typeOf(schema.items ?? {})})[]`
    case 'object':
      return objectType(schema)
    default:
      return 'unknown'
  }
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema): string {
  if (typeof additionalProperties === 'object') {
    return `Record<string, ${typeOf(additionalProperties)}>`
  }
  const fields = Object.entries(properties).map(([name, field]) => {
    const mark = required.includes(name) ? '' : '?'
    return `${JSON.stringify(name)}${mark}: ${typeOf(field)}`
  })
  return `{ ${fields.join('; ')} }`
}
