import type { Settings } from './settings.ts'

/** The one short block a person reads when all answers. */
export function addressBlock({ port, dbPort, razorpayPort, dataDir }: Settings): string {
  return [
    '',
    `  Site and API       http://localhost:${port}`,
    `  Mail that was sent http://localhost:${port}/__local/mail`,
    `  Razorpay emulator  http://localhost:${razorpayPort}/__emu/ui`,
    `  Database (libSQL)  http://127.0.0.1:${dbPort}`,
    `  Data and logs      ${dataDir}`,
    '',
    '  Ctrl-C ends it all.',
    '',
  ].join('\n')
}
