/** Published and worthless on purpose: whoever reads them can reach nothing but this emulator. */
export const defaults = {
  keyId: 'rzp_test_EMUkey00000001',
  keySecret: 'emu_key_secret_0001',
  webhookSecret: 'emu_webhook_secret_0001',
  controlToken: 'local',
  accountId: 'acc_EMUacct0000001',
  port: 8790,
  webhookUrl: 'http://127.0.0.1:8787/api/webhooks/razorpay',
} as const
