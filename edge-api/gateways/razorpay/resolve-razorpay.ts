import type { PaymentMode } from '../../domain/ports/payments.ts'
import { LOOPBACK } from '../loopback.ts'

const BASE_URL = 'https://api.razorpay.com'
const CHECKOUT_URL = 'https://checkout.razorpay.com/v1/checkout.js'
const SECRET_MIN = 16
/** The prefix of the emulator's secrets, which the repository contains. */
const EMULATOR_SECRET = 'emu_'

export interface RazorpayEnv {
  /** Unset counts as production. */
  ENVIRONMENT?: string | undefined
  RAZORPAY_KEY_ID?: string | undefined
  RAZORPAY_KEY_SECRET?: string | undefined
  /** Comma-separated, the current one first. */
  RAZORPAY_WEBHOOK_SECRETS?: string | undefined
  RAZORPAY_BASE_URL?: string | undefined
  RAZORPAY_CHECKOUT_URL?: string | undefined
}

export type RazorpaySettings = ReturnType<typeof resolveRazorpay>

/** The message names the variable at fault, never its value. */
export class RazorpayNotConfigured extends Error {
  override readonly name = 'RazorpayNotConfigured'
}

/**
 * Decides which server is used as Razorpay. Production accepts only live keys and staging only test keys, both with
 * Razorpay's own URLs; the emulator needs its own key and a loopback address. Throws RazorpayNotConfigured for
 * everything else.
 */
export function resolveRazorpay(env: RazorpayEnv) {
  const keyId = env.RAZORPAY_KEY_ID ?? ''
  const mode = modeOf(keyId, env.ENVIRONMENT ?? 'production')
  const keySecret = secret('RAZORPAY_KEY_SECRET', env.RAZORPAY_KEY_SECRET ?? '', mode)
  const webhookSecrets = webhookSecretsOf(env.RAZORPAY_WEBHOOK_SECRETS ?? '', keySecret, mode)
  const address = mode === 'emulator' ? loopback : official
  return {
    mode,
    keyId,
    keySecret,
    webhookSecrets,
    baseUrl: address('RAZORPAY_BASE_URL', env.RAZORPAY_BASE_URL, BASE_URL),
    checkoutScript: address('RAZORPAY_CHECKOUT_URL', env.RAZORPAY_CHECKOUT_URL, CHECKOUT_URL),
  }
}

function modeOf(keyId: string, environment: string): PaymentMode {
  const isOwnMachine = ['development', 'test', 'local'].includes(environment)
  const isStaging = environment === 'staging'
  if (/^rzp_test_EMU[A-Za-z0-9]{11}$/.test(keyId)) {
    if (isOwnMachine) return 'emulator'
  } else if (/^rzp_test_[A-Za-z0-9]{14}$/.test(keyId)) {
    if (isOwnMachine || isStaging) return 'test'
  } else if (/^rzp_live_[A-Za-z0-9]{14}$/.test(keyId)) {
    if (!isOwnMachine && !isStaging) return 'live'
  }
  throw new RazorpayNotConfigured('RAZORPAY_KEY_ID is missing or not one for this ENVIRONMENT')
}

function secret(name: string, value: string, mode: PaymentMode): string {
  if (value.length < SECRET_MIN) {
    throw new RazorpayNotConfigured(`${name} is missing or too short`)
  }
  if (mode !== 'emulator' && value.startsWith(EMULATOR_SECRET)) {
    throw new RazorpayNotConfigured(`${name} holds the emulator's secret`)
  }
  return value
}

function webhookSecretsOf(list: string, keySecret: string, mode: PaymentMode) {
  const name = 'RAZORPAY_WEBHOOK_SECRETS'
  const [first = '', ...others] = list.split(',').map((entry) => entry.trim())
  for (const entry of [first, ...others]) {
    secret(name, entry, mode)
    if (entry === keySecret) throw new RazorpayNotConfigured(`${name} repeats the key secret`)
  }
  return [first, ...others] as const
}

function official(name: string, value: string | undefined, constant: string): string {
  if (value === undefined || value === '' || value === constant) return constant
  throw new RazorpayNotConfigured(`${name} may only be set for the emulator`)
}

function loopback(name: string, value: string | undefined): string {
  const url = URL.parse(value ?? '')
  if (url !== null && LOOPBACK.includes(url.hostname) && url.username === '') {
    return url.href.replace(/\/$/, '')
  }
  throw new RazorpayNotConfigured(`${name} must be a loopback address for the emulator`)
}
