import type { Context } from '../../../edge-api/domain/context.ts'
import { FairQueue } from '../../../edge-api/domain/fair-queue.ts'

type After = (known: string | undefined) => unknown

class Observed extends FairQueue {
  private readonly after: After

  constructor(after: After) {
    super(
      { atOnce: 1, places: 1, secondsEach: 1 },
      { clock: Date.now, pause: () => Promise.resolve() },
    )
    this.after = after
  }

  override async run<Result>(_: string, hash: () => Promise<Result>, known?: string) {
    const result = await hash()
    await this.after(known)
    return result
  }
}

/** A context in which `after` runs after each hash, with the account that waited for it, before its caller goes on. */
export function afterHash(ctx: Context, after: After): Context {
  return { ...ctx, queues: { ...ctx.queues, hashes: new Observed(after) } }
}
