import type { Settings } from './settings.ts'

/** What the Worker is told about this machine: all that depends on ports, computed at each start. */
export function workerVars({ port, dbPort, razorpayPort }: Omit<Settings, 'root' | 'dataDir'>) {
  return {
    ENVIRONMENT: 'local',
    PUBLIC_ORIGIN: `http://localhost:${port}`,
    DATABASE_URL: `http://127.0.0.1:${dbPort}`,
    DATABASE_AUTH_TOKEN: '',
    RAZORPAY_BASE_URL: `http://localhost:${razorpayPort}`,
    RAZORPAY_CHECKOUT_URL: `http://localhost:${razorpayPort}/checkout/v1/checkout.js`,
  }
}
