import type { WebhookAction } from '../core/fault-rule.ts'

/** A delivery before it has an id and a signature. */
export interface Draft {
  eventId: string
  event: string
  body: string
  delayMs: number
}

const copyGapMs = 150
const reorderGapMs = 250

function copies(draft: Draft, count: number, newEventId: () => string): Draft[] {
  return Array.from({ length: count }, (_, index) => ({
    ...draft,
    eventId: index === 0 ? draft.eventId : newEventId(),
    delayMs: draft.delayMs + index * copyGapMs,
  }))
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
  }
}
