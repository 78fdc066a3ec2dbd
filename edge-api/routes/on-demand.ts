import type { Context } from '../domain/context.ts'

/** A handler whose module the first call loads: an isolate starts sooner without modules that most never use. */
export function onDemand<Name extends string, Call, Answer>(
  load: () => Promise<
    Readonly<Record<NoInfer<Name>, (ctx: Context, call: Call) => Promise<Answer>>>
  >,
  name: Name,
) {
  return async (ctx: Context, call: Call): Promise<Answer> => (await load())[name](ctx, call)
}
