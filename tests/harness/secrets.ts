/** The secrets of every Worker and emulator that tests start. They open nothing else. */
export const testSecrets = {
  JWT_SECRETS: 'k1:tests-only-0123456789-abcdefghijklmnopqrstuvwxyz-0123456789abc',
  RAZORPAY_KEY_ID: 'rzp_test_EMUkey00000001',
  RAZORPAY_KEY_SECRET: 'emu_key_secret_0001',
  RAZORPAY_WEBHOOK_SECRETS: 'emu_webhook_secret_0001',
}
