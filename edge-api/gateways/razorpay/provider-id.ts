import { GatewayRejected, type PaymentMode } from '../../domain/ports/payments.ts'

const PATTERN = /^(order|pay|plink|rfnd|disp)_[A-Za-z0-9]{14}$/
/** The prefix of the emulator's ids. Real ids are ordered by time and no longer start with these letters. */
const EMULATED = /^[a-z]+_EMU/

/** Whether an id can exist in this payment mode. The emulator's ids are rejected in live and test mode. */
export function isProviderId(id: string, mode: PaymentMode): boolean {
  return PATTERN.test(id) && (mode === 'emulator' || !EMULATED.test(id))
}

/**
 * The same id, checked. The SDK puts ids into the path unescaped, so `x/../../settlements` would read something else
 * with our credentials. Throws GatewayRejected before anything is sent.
 */
export function checkedId(id: string, mode: PaymentMode): string {
  if (isProviderId(id, mode)) return id
  throw new GatewayRejected('id_invalid', 'not an id of this mode')
}
