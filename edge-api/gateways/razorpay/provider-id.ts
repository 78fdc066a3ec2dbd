import { GatewayRefused, type PaymentMode } from '../../domain/ports/payments.ts'

const PATTERN = /^(order|pay|plink|rfnd|disp)_[A-Za-z0-9]{14}$/
/** How the ids of the local emulator begin. Real ones are time-ordered and past these letters. */
const EMULATED = /^[a-z]+_EMU/

/** Whether an id of this form can exist in this mode. Emulated ids do not exist where money is real. */
export function isProviderId(id: string, mode: PaymentMode): boolean {
  return PATTERN.test(id) && (mode === 'emulator' || !EMULATED.test(id))
}

/**
 * The same id, checked. The SDK puts ids into the path as they are: `x/../../settlements` would read
 * other things with our credentials. Throws GatewayRefused before anything is sent.
 */
export function checkedId(id: string, mode: PaymentMode): string {
  if (isProviderId(id, mode)) return id
  throw new GatewayRefused('id_invalid', 'not an id of this mode')
}
