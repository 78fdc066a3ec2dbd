/**
 * A verb whose module an isolate loads with the first call of it: most isolates answer none, and what is loaded at the start
 * delays all others (docs/decisions/0137-the-worker-loads-what-few-calls-want.md).
 */
export function whenCalled<Module, Args extends unknown[], Result>(
  load: () => Promise<Module>,
  verbOf: (module: Module) => (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  let verb: ((...args: Args) => Promise<Result>) | null = null
  return async (...args) => {
    verb ??= verbOf(await load())
    return verb(...args)
  }
}
