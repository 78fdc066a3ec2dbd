import { TOAST } from '../../contract/messages.ts'
import type { Subscription } from '../../contract/account.ts'
import { createResource } from '../resource/resource.ts'
import { session } from '../session/session.ts'
import { toasts } from '../toasts/toasts.ts'

/** The plan of the account: load it, cancel it at the end of its period, reactivate it. */
export function createPlanSettings() {
  const current = createResource(() => session.call('GET /api/subscription/current', {}))

  async function put(subscription: Subscription) {
    const shown = current.$resource.get().data
    if (shown !== null) current.put({ ...shown, subscription })
    // The plan has not loaded yet, and the answer under way may be older than this change.
    else await current.load()
  }

  async function change(
    name: 'POST /api/subscription/cancel' | 'POST /api/subscription/reactivate',
    done: string,
    failed: string,
  ) {
    const result = await session.call(name, {})
    if (result.ok) await put(result.data.subscription)
    if (result.ok) toasts.success(done)
    else toasts.error(result.message || failed)
  }

  return {
    $plan: current.$resource,
    load: current.load,
    cancel: () => change('POST /api/subscription/cancel', TOAST.cancelled, TOAST.cancelFailed),
    reactivate: () =>
      change('POST /api/subscription/reactivate', TOAST.reactivated, TOAST.reactivateFailed),
  }
}
