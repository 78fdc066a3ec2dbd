import type { WebhookAction } from '../core/fault-rule.ts'

/** A delivery before it has an id and a signature. */
export interface Draft {
  eventId: string
  sendsEventId: boolean
  event: string
  body: string
  delayMs: number
}

/** The name of an event that Razorpay does not have. */
export const unknownEvent = 'payment.emulator_unknown'

const copyGapMs = 150
const reorderGapMs = 250

function copies(draft: Draft, count: number, newEventId: () => string): Draft[] {
  return Array.from({ length: count }, (_, index) => ({
    ...draft,
    eventId: index === 0 ? draft.eventId : newEventId(),
    delayMs: draft.delayMs + index * copyGapMs,
  }))
}

/** The same JSON as PHP writes it. A receiver that checks the signature over the raw bytes accepts it. */
function reencode(body: string): string {
  return body.replaceAll('/', '\\/').replace(/[@&<>'\u0080-\uffff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/** Applies a webhook fault to one delivery. Returns none, a changed one, or several. */
export function shapeDraft(draft: Draft, action: WebhookAction, newEventId: () => string): Draft[] {
  switch (action.type) {
    case 'lost':
      return []
    case 'duplicate':
      return copies(draft, action.n, () => draft.eventId)
    case 'duplicate_new_id':
      return copies(draft, action.n, newEventId)
    case 'reorder': {
      const place = action.order.indexOf(draft.event)
      const index = place < 0 ? action.order.length : place
      return [{ ...draft, delayMs: draft.delayMs + index * reorderGapMs }]
    }
    case 'reencode':
      return [{ ...draft, body: reencode(draft.body) }]
    case 'missing_event_id':
      return [{ ...draft, sendsEventId: false }]
    case 'unknown_event': {
      const event = unknownEvent
      const body = JSON.stringify({ ...Object(JSON.parse(draft.body)), event })
      return [{ ...draft, event, eventId: newEventId(), body }, draft]
    }
  }
}
