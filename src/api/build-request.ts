import type { Endpoint } from '../contract/endpoint.ts'

export interface RequestInput {
  params?: unknown
  query?: unknown
  body?: unknown
  token?: string | null | undefined
  idempotencyKey?: string | undefined
  keepalive?: boolean | undefined
}

/** What `fetch` needs for one call; `path` starts with a slash and holds the query. */
export function buildRequest(endpoint: Endpoint, input: RequestInput) {
  return {
    path: fillPath(endpoint.path, entriesOf(input.params)) + toQuery(entriesOf(input.query)),
    init: {
      method: endpoint.method,
      headers: buildHeaders(input),
      ...(input.keepalive === true ? { keepalive: true } : {}),
      ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
    },
  }
}

function entriesOf(value: unknown): [string, string][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) =>
    item === undefined ? [] : [[name, String(item)]],
  )
}

function fillPath(path: string, params: [string, string][]): string {
  return params.reduce(
    (filled, [name, value]) => filled.replace(`{${name}}`, () => encodeURIComponent(value)),
    path,
  )
}

function toQuery(query: [string, string][]): string {
  const text = new URLSearchParams(query).toString()
  return text === '' ? '' : `?${text}`
}

function buildHeaders({ body, token, idempotencyKey }: RequestInput): Record<string, string> {
  return {
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
  }
}
