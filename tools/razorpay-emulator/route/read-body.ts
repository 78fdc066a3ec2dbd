import type { Context } from 'hono'
import { badRequest } from '../api-error.ts'
import type { Body } from '../order/validate-order.ts'

function isBody(value: unknown): value is Body {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** The request's JSON object; an empty body is an empty object. */
export async function readBody(c: Context): Promise<Body> {
  const text = await c.req.text()
  if (text.trim() === '') return {}
  const value = parse(text)
  if (!isBody(value)) throw badRequest('The request body must be a JSON object.')
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw Object.assign(badRequest('The request body is not valid JSON.'), { cause })
  }
}
