import {
  type Act,
  actEndpoint,
  customerEndpoint,
  evidenceEndpoint,
  findEndpoint,
  todayEndpoint,
} from '../contract/desk.ts'
import { createResource } from './resource.ts'
import type { StoreDeps } from './session.ts'
import type { Confirmed } from './step-up.ts'

export interface DeskDeps extends StoreDeps {
  confirmed: Confirmed
}

/** What begins with a text. */
export function createFind({ session, confirmed }: DeskDeps, q: string) {
  return createResource(() => confirmed(() => session.call(findEndpoint, { query: { q } })))
}

/** One customer with their timeline. */
export function createCustomer({ session, confirmed }: DeskDeps, userId: string) {
  return createResource(() =>
    confirmed(() => session.call(customerEndpoint, { params: { userId } })),
  )
}

/** What answers a dispute. */
export function createEvidence({ session, confirmed }: DeskDeps, disputeId: string) {
  return createResource(() =>
    confirmed(() => session.call(evidenceEndpoint, { params: { disputeId } })),
  )
}

/** Something to do to an account: `preview` tells what would change, `carryOut` does it. */
export function createAct({ session, confirmed }: DeskDeps, act: Act) {
  const send = (body: { reason: string; isPreview: boolean; shown?: string[] }) =>
    confirmed(() => session.call(actEndpoint, { body: { act, ...body } }))
  return {
    preview: (reason: string) => send({ reason, isPreview: true }),
    /** Refused when what would change is not `shown` any more, the sentences of the preview. */
    carryOut: (reason: string, shown: readonly string[]) =>
      send({ reason, isPreview: false, shown: [...shown] }),
  }
}

/** What waits, and what was sold in the last days. */
export function createToday({ session, confirmed }: DeskDeps) {
  return createResource(() => confirmed(() => session.call(todayEndpoint, {})))
}
