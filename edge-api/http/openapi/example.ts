/** One call that works: what is sent and what comes back. A test holds each to its schemas. */
export interface Example {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  success?: unknown
}
