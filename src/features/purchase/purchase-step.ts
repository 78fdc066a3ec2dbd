import { atom } from 'nanostores'

/**
 * The step of a purchase, as the page shows it. `ordering`: the server creates the order. `opening`: the
 * widget's script loads. `paying`: its window is open. `confirming`: the server checks the payment. `place`: the server asks
 * first where the buyer is (probably at `guess`, if it is not empty), and `again` orders once it knows. `twice`: another payment
 * is being confirmed, as `message` says, and `again` orders all the same.
 */
export type PurchaseStep =
  | { step: 'idle' }
  | { step: 'ordering' | 'opening' | 'confirming' }
  | { step: 'paying'; declined: string | null }
  | { step: 'place'; guess: string; again: () => void }
  | { step: 'twice'; message: string; again: () => void }
  | {
      step: 'stopped'
      message: string
      isError: boolean
      nextStep?: string | undefined
      again?: () => void
    }

const STEP_LABEL = {
  ordering: 'Preparing your order…',
  opening: 'Opening the payment window…',
  paying: 'Waiting for your payment…',
  confirming: 'Confirming your payment…',
} as const

type Busy = Extract<PurchaseStep, { step: keyof typeof STEP_LABEL }>

/** While a purchase is busy, no other one starts and its modal stays open. */
export function isBusy(state: PurchaseStep): state is Busy {
  return state.step in STEP_LABEL
}

/** Whether the purchase waits for an answer of the buyer. Nothing is ordered before it. */
export function isQuestion({ step }: PurchaseStep): boolean {
  return step === 'place' || step === 'twice'
}

/** The end of a purchase, good or bad; `nextStep` tells the buyer what to do when the message does not. */
export function stopped(message: string, isError: boolean, nextStep?: string): PurchaseStep {
  return { step: 'stopped', message, isError, nextStep }
}

/** The label of the button that started the purchase; null while it is not busy. */
export function busyLabel(state: PurchaseStep): string | null {
  return isBusy(state) ? STEP_LABEL[state.step] : null
}

/** In the query of /subscription: the id of a purchase whose payment is open. */
export const PURCHASE_PARAMETER = 'purchase'

/** What a page shows of a purchase. `$planType`: the plan that it is about, whose card alone shows it. */
export function createShownPurchase() {
  const $purchase = atom<PurchaseStep>({ step: 'idle' })
  return {
    $purchase,
    $planType: atom<string | null>(null),
    /** Call when the buyer leaves a question unanswered. */
    leaveQuestion: () => {
      if (isQuestion($purchase.get())) $purchase.set({ step: 'idle' })
    },
  }
}
