import type { Occasion } from '../fault/take.ts'

interface Described {
  occasion: Occasion & { method: string; path: string }
  /** The request again, its body not yet read. */
  copy: Request
}

function member(text: string | null, names: string[]): string | null {
  if (!text?.startsWith('{')) return null
  try {
    const body: unknown = JSON.parse(text)
    if (body === null || typeof body !== 'object') return null
    const values = names.map((name): unknown => Reflect.get(body, name))
    return values.find((value) => typeof value === 'string') ?? null
  } catch {
    return null
  }
}

/** What fault rules may look at: method, path, and the order or receipt that the request is about. */
export async function describeRequest(request: Request): Promise<Described> {
  const url = new URL(request.url)
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD'
  const text = hasBody ? await request.text() : null
  const { method, headers } = request
  const copy = new Request(url, { method, headers, ...(text === null ? {} : { body: text }) })
  return {
    copy,
    occasion: {
      method,
      path: url.pathname,
      order_id: /order_\w{14}/.exec(url.pathname)?.[0] ?? member(text, ['order_id']),
      receipt: url.searchParams.get('receipt') ?? member(text, ['receipt', 'reference_id']),
    },
  }
}
