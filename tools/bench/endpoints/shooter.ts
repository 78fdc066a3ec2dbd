import { newAddress } from '../../../tests/harness/visitor.ts'
import type { Shot } from '../load.ts'
import type { Caller, Case } from './cases.ts'

/** Makes requests of callers in turn, each from an address of its own, so that no limit is met. */
export function shooter({ shot }: Case, callers: readonly Caller[]): () => Shot {
  let count = Math.floor(Math.random() * callers.length)
  return () => {
    const caller = callers[(count += 1) % callers.length]
    if (caller === undefined) throw new Error('there are no callers')
    const { headers, ...rest } = shot(caller)
    return { ...rest, headers: { 'cf-connecting-ip': newAddress(), ...headers } }
  }
}
