/** A promise with what settles it: `Promise.withResolvers`, which Safari has since 17.4. */
export interface Deferred<Value> {
  promise: Promise<Value>
  resolve: (value: Value) => void
}

/** A promise that is settled from outside. */
export function deferred<Value>(): Deferred<Value> {
  let resolve: (value: Value) => void = () => undefined
  const promise = new Promise<Value>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
