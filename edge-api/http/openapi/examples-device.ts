import type { Example } from './example.ts'

const DEVICE_CODE = 'Zk3p0m8mV2l1Qy7hXo5cT9bR4nW6sJ1aUe0dGiKfLxY'

export const DEVICE_EXAMPLES: Readonly<Record<string, Example>> = {
  authorizeDevice: {
    body: { client_name: 'Sotto for Windows' },
    success: {
      success: true,
      device_code: DEVICE_CODE,
      user_code: 'BCDF-GHJK',
      verification_uri: 'https://sotto.example/device',
      verification_uri_complete: 'https://sotto.example/device?code=BCDF-GHJK',
      expires_in: 600,
      interval: 5,
    },
  },
  deviceToken: {
    body: {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: DEVICE_CODE,
    },
    success: {
      success: true,
      access_token: 'eyJhbGciOiJIUzI1NiIsImtpZCI6ImsxIn0.eyJzaWQiOiJzZXNfLi4uIn0.c2lnbmF0dXJl',
      token_type: 'Bearer',
      expires_in: 2_592_000,
    },
  },
  deviceRequest: {
    params: { userCode: 'BCDF-GHJK' },
    success: {
      success: true,
      request: { clientName: 'Sotto for Windows', expiresAt: '2026-11-02T09:40:00.000Z' },
    },
  },
  confirmDevice: {
    body: { userCode: 'BCDF-GHJK', approve: true },
    success: {
      success: true,
      message: 'Sotto for Windows is signed in. You can go back to it.',
    },
  },
}
