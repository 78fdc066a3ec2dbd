import type { WebhookAction } from '../fault/rule.ts'
import { reencode } from './reencode.ts'

/** A delivery before it has an id and a signature. */
export interface Draft {
  eventId: string
  sendsEventId: boolean
  event: string
  body: string
  delayMs: number
  secret: 'current' | 'previous' | 'forged'
}

const copyGapMs = 150
const reorderGapMs = 250

function copies(draft: Draft, count: number, eventIdOf: (index: number) => string): Draft[] {
  return Array.from({ length: count }, (_, index) => ({
    ...draft,
    eventId: index === 0 ? draft.eventId : eventIdOf(index),
    delayMs: draft.delayMs + index * copyGapMs,
  }))
}

function withMember(body: string, member: Record<string, unknown>): string {
  return JSON.stringify({ ...Object(JSON.parse(body)), ...member })
}

/** What a webhook fault makes of one delivery: none, the same changed, or several. */
export function shapeDraft(draft: Draft, action: WebhookAction, newEventId: () => string): Draft[] {
  switch (action.type) {
    case 'lost':
    case 'disabled':
      return []
    case 'delay_delivery':
      return [{ ...draft, delayMs: draft.delayMs + action.seconds * 1000 }]
    case 'duplicate':
      return copies(draft, action.n, () => draft.eventId)
    case 'duplicate_new_id':
      return copies(draft, action.n, newEventId)
    case 'reorder': {
      const place = action.order.indexOf(draft.event)
      const index = place < 0 ? action.order.length : place
      return [{ ...draft, delayMs: draft.delayMs + index * reorderGapMs }]
    }
    case 'before_handler':
      return [{ ...draft, delayMs: 0 }]
    case 'after_handler':
      return [{ ...draft, delayMs: draft.delayMs + action.ms }]
    case 'bad_signature':
      return [{ ...draft, secret: 'forged' }]
    case 'old_secret':
      return [{ ...draft, secret: 'previous' }]
    case 'reencode':
      return [{ ...draft, body: reencode(draft.body, action.style) }]
    case 'missing_event_id':
      return [{ ...draft, sendsEventId: false }]
    case 'unknown_event': {
      const event = 'payment.emulator_unknown'
      const stranger = { ...draft, event, eventId: newEventId() }
      return [{ ...stranger, body: withMember(draft.body, { event }) }, draft]
    }
    case 'huge':
      return [
        {
          ...draft,
          body: withMember(draft.body, { padding: 'x'.repeat(action.kilobytes * 1024) }),
        },
      ]
  }
}
