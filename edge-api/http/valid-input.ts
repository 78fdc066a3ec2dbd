import { zValidator } from '@hono/zod-validator'
import type { Context as HonoContext, MiddlewareHandler } from 'hono'
import type { FieldError, Endpoint } from '../../src/contract/endpoint.ts'
import { SERVER } from '../../src/contract/messages.ts'
import type { z } from '../../src/contract/zod.ts'
import type { AppEnv } from './env.ts'
import { fail } from './failure.ts'

interface Targets {
  param: unknown
  query: unknown
  json: unknown
  form: unknown
}
export type ValidContext = HonoContext<AppEnv, string, { in: Targets; out: Targets }>

interface Input<E extends Endpoint> {
  params: z.output<E['params']>
  query: z.output<E['query']>
  body: z.output<E['body']>
}

/** Validates one part of a request. The answer to invalid input names each field. */
export function validate(target: keyof Targets, schema: z.ZodType): MiddlewareHandler<AppEnv> {
  return zValidator(target, schema, (result, c: HonoContext<AppEnv>) => {
    if (result.success) return undefined
    // No resource can have a malformed id: 404, as for any unknown one.
    if (target === 'param') return fail(c, 'NOT_FOUND', SERVER.notFound)
    return failInvalid(c, result.error)
  })
}

/** Answers with the fields that are invalid. */
export function failInvalid(c: HonoContext<AppEnv>, error: z.core.$ZodError): Response {
  return fail(c, 'VALIDATION_FAILED', SERVER.validation, { errors: toFieldErrors(error) })
}

/** What the parts of a request are that the endpoint does not have. */
const NOTHING = Object.freeze({})

/**
 * The validated parameters, query and body. The overload gives them the types of the endpoint's schemas, which Hono
 * cannot carry through a generic mount.
 */
export function validInput<E extends Endpoint>(c: ValidContext, endpoint: E): Input<E>
export function validInput(c: ValidContext): Input<Endpoint> {
  const body = c.req.valid('form') ?? c.req.valid('json') ?? NOTHING
  return { params: c.req.valid('param') ?? NOTHING, query: c.req.valid('query') ?? NOTHING, body }
}

function toFieldErrors(error: z.core.$ZodError): FieldError[] {
  return error.issues
    .flatMap(singleIssues)
    .slice(0, 100)
    .map((issue) => ({ path: issue.path.join('.'), msg: issue.message.slice(0, 500) }))
}

/** For a union, the issues of the branch that has the fewest. */
function singleIssues(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || issue.path.length > 0) return [issue]
  const [nearest = []] = issue.errors.toSorted((one, other) => one.length - other.length)
  return nearest.length === 0 ? [issue] : nearest
}
