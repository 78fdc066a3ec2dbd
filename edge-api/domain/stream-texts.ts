import type { Context } from './context.ts'

/** Streams texts to an account, one stream at a time (fair-queue.ts). Why one breaks off goes into the log. */
export function streamTexts(
  ctx: Context,
  userId: string,
  texts: AsyncIterable<string>,
): Promise<ReadableStream<Uint8Array>> {
  return ctx.queues.exports.stream(ctx.visitor.ipPrefix, logged(ctx, texts), userId)
}

async function* logged({ log }: Context, texts: AsyncIterable<string>) {
  try {
    yield* texts
  } catch (error) {
    log.error('a stream broke off', error)
    throw error
  }
}
