import { toBase64Url } from './encoding.ts'
import { SERVER } from '../../src/contract/messages.ts'
import { ApiError } from './api-error.ts'

/** Where a page ended: the time and id of its last row. Opaque to callers. */
interface Cursor {
  at: number
  id: string
}

/** The cursor of the page after this row, as base64url. */
export function encodeCursor({ at, id }: Cursor): string {
  return toBase64Url(new TextEncoder().encode(`${at}:${id}`))
}

/** Reads the cursor a caller sent back. VALIDATION_FAILED when we did not make it. */
export function decodeCursor(text: string): Cursor {
  const [, at, id] =
    /^(\d{1,16}):([!-~]{1,200})$/.exec(Buffer.from(text, 'base64url').toString()) ?? []
  if (at === undefined || id === undefined) {
    throw new ApiError('VALIDATION_FAILED', SERVER.validation, {
      errors: [{ path: 'cursor', msg: 'Use the nextCursor of the page before' }],
    })
  }
  return { at: Number(at), id }
}
