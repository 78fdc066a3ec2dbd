/**
 * What a purchase is doing, as the page shows it. `ordering`: the server makes the order. `opening`: the
 * widget's script loads. `paying`: its window is open. `confirming`: the server checks the payment.
 */
export type PurchaseState =
  | { step: 'idle' }
  | { step: 'ordering' | 'opening' | 'confirming' }
  | { step: 'paying'; declined: string | null }
  | { step: 'stopped'; message: string; isError: boolean; nextStep?: string | undefined }

/** While it is, no other purchase begins and its modal stays open. */
export function isBusy(state: PurchaseState): boolean {
  return state.step !== 'idle' && state.step !== 'stopped'
}

/** An end, good or bad; `nextStep` is what the buyer can do when the message does not say it. */
export function stopped(message: string, isError: boolean, nextStep?: string): PurchaseState {
  return { step: 'stopped', message, isError, nextStep }
}

/** What stands on the button that started it. */
export const STEP_LABEL = {
  ordering: 'Preparing your order…',
  opening: 'Opening the payment window…',
  paying: 'Waiting for your payment…',
  confirming: 'Confirming your payment…',
} as const

/** `reason` is the sentence of the payment provider. */
export const DECLINED = (reason: string) =>
  `The payment was declined: ${reason} You can try again in the payment window.`
