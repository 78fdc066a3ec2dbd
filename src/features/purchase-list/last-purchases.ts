import { environment } from '../../lib/environment.ts'
import { createResource } from '../resource/resource.ts'
import { session } from '../session/session.ts'
import { confirmingText } from './confirming.ts'

const COUNT = 5

/** Milliseconds before a payment that is being confirmed is asked for again; each wait is twice the one before, up to 20 minutes. */
const FIRST_WAIT_MS = 5_000
const DOUBLINGS_MAX = 8

/**
 * The last few purchases of the account. While a payment among them is being confirmed they load again, and after that the user
 * does, who then has the tokens.
 */
export function createLastPurchases() {
  const resource = createResource(() =>
    session.call('GET /api/payment/purchases', { query: { limit: COUNT } }),
  )
  let cancelTimer: () => void = () => undefined
  let isConfirming = false
  let doublings = 0

  function loadLater() {
    cancelTimer = environment.clock.after(FIRST_WAIT_MS * 2 ** doublings, () => {
      doublings = Math.min(doublings + 1, DOUBLINGS_MAX)
      void resource.load()
    })
  }

  resource.$resource.listen(({ status, data }) => {
    if (status === 'loading') return
    cancelTimer()
    const wasConfirming = isConfirming
    isConfirming = data !== null && confirmingText(data.purchases) !== null
    if (isConfirming && session.$session.get().status !== 'guest') loadLater()
    else if (wasConfirming && status === 'ready') void session.start()
  })

  return resource
}

export type LastPurchases = ReturnType<typeof createLastPurchases>
