import type { Member } from '../../../tests/harness/member.ts'
import { newAddress } from '../../../tests/harness/visitor.ts'
import type { Shot } from '../load.ts'
import type { Case } from './cases.ts'

/** Makes requests of members in turn, each from an address of its own, so that no limit is met. */
export function shooter({ shot }: Case, members: readonly Member[]): () => Shot {
  let count = Math.floor(Math.random() * members.length)
  return () => {
    const member = members[(count += 1) % members.length]
    if (member === undefined) throw new Error('there are no members')
    const { headers, ...rest } = shot(member)
    return { ...rest, headers: { 'cf-connecting-ip': newAddress(), ...headers } }
  }
}
