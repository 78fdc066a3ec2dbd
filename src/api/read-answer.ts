import type { AnswerShape, Choice, Shape } from '../contract/answer-shape.ts'

/** A value does not fit its shape. `isNewer`: this page does not know it. */
class Misfit extends Error {
  readonly isNewer: boolean

  constructor(isNewer = false) {
    super()
    this.isNewer = isNewer
  }
}

/**
 * Reads an answer by its shape; null when it does not fit. Fields that the shape does not have are left out. Where a value is
 * newer than this page, such as a notice of an unknown kind, an item of a list is left out, and elsewhere the neutral value
 * stands in (docs/api.md).
 */
export function readAnswer<Answer>(shape: AnswerShape<Answer>, value: unknown): Answer | null
export function readAnswer(shape: Shape, value: unknown): unknown {
  try {
    return read(shape, value, false)
  } catch (error) {
    if (error instanceof Misfit) return null
    throw error
  }
}

function read(shape: Shape, value: unknown, isItem: boolean): unknown {
  if (typeof shape === 'string') {
    if (shape !== 'unknown' && typeof value !== shape) throw new Misfit()
    return value
  }
  if ('nullable' in shape) return value === null ? null : read(shape.nullable, value, isItem)
  if ('optional' in shape) {
    return value === undefined ? undefined : read(shape.optional, value, isItem)
  }
  if ('oneOf' in shape) return choose(shape, value, isItem)
  if ('list' in shape) {
    if (!Array.isArray(value)) throw new Misfit()
    return value.flatMap((item) => readItem(shape.list, item))
  }
  if ('row' in shape) {
    if (!Array.isArray(value) || value.length !== shape.row.length) throw new Misfit()
    return shape.row.map((part, index) => read(part, value[index], isItem))
  }
  if (typeof value !== 'object' || value === null) throw new Misfit()
  const given = new Map(Object.entries(value))
  const pairs =
    'record' in shape
      ? [...given].map(([key, item]) => [key, read(shape.record, item, isItem)])
      : Object.entries(shape.fields)
          .map(([key, field]) => [key, read(field, given.get(key), isItem)])
          .filter(([, field]) => field !== undefined)
  return Object.fromEntries(pairs)
}

function choose({ oneOf, otherwise, isKept = false }: Choice, value: unknown, isItem: boolean) {
  if (oneOf.includes(value)) return value
  if (otherwise === undefined || (isItem && !isKept)) throw new Misfit(true)
  return otherwise
}

/** The item in a list, or an empty list when the item is newer than this page. */
function readItem(shape: Shape, item: unknown): unknown[] {
  try {
    return [read(shape, item, true)]
  } catch (error) {
    if (error instanceof Misfit && error.isNewer) return []
    throw error
  }
}
