import { TOAST } from '../contract/messages.ts'
import type { Subscription } from '../contract/account.ts'
import {
  cancelSubscriptionEndpoint,
  currentSubscriptionEndpoint,
  reactivateSubscriptionEndpoint,
} from '../contract/subscription.ts'
import { createResource } from './resource.ts'
import type { StoreDeps } from './session.ts'

/** The plan of the account: load it, cancel it at the end of its period, reactivate it. */
export function createPlanSettings({ session, toasts }: StoreDeps) {
  const current = createResource(() => session.call(currentSubscriptionEndpoint, {}))

  async function put(subscription: Subscription) {
    const shown = current.$resource.get().data
    if (shown !== null) current.put({ ...shown, subscription })
    // The plan has not loaded yet, and the answer under way may be older than this change.
    else await current.load()
  }

  async function change(
    endpoint: typeof cancelSubscriptionEndpoint,
    words: { done: string; failed: string },
  ) {
    const result = await session.call(endpoint, {})
    if (result.ok) await put(result.data.subscription)
    if (result.ok) toasts.success(words.done)
    else toasts.error(result.message || words.failed)
  }

  return {
    $plan: current.$resource,
    load: current.load,
    cancel: () =>
      change(cancelSubscriptionEndpoint, { done: TOAST.cancelled, failed: TOAST.cancelFailed }),
    reactivate: () =>
      change(reactivateSubscriptionEndpoint, {
        done: TOAST.reactivated,
        failed: TOAST.reactivateFailed,
      }),
  }
}
