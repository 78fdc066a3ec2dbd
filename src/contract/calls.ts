import type { CallSuccess, Endpoint } from './endpoint.ts'
import type { FILES } from './endpoints.ts'

// Types alone: the browser calls `call('GET /api/auth/me')` and loads no schema for it.

type ValueOf<File> = File extends unknown ? File[keyof File] : never
type Known = Extract<ValueOf<(typeof FILES)[number]>, Endpoint>

/** Every call by its name, such as `POST /api/auth/login`. */
export type Calls = { [Call in Known as `${Call['method']} ${Call['path']}`]: Call }

export type CallName = keyof Calls

/** What the server answers to a call that it does not reject. */
export type AnswerOf<Name extends CallName> = CallSuccess<Calls[Name]>
