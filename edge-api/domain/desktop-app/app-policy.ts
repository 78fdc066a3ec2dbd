import type { appPolicyEndpoint } from '../../../src/contract/app.ts'
import { offeredMac, offeredWindows } from '../../../src/contract/release.ts'
import type { PublicHandler } from '../handler.ts'

/** Which versions of the desktop app may be used, from the releases. The newest one that is not withdrawn sets the minimum. */
export const appPolicy: PublicHandler<typeof appPolicyEndpoint> = ({ releases }) => {
  const [mac, windows] = [offeredMac(releases), offeredWindows(releases)]
  const newest = releases.find(({ withdrawn }) => withdrawn === undefined) ?? mac
  return Promise.resolve({
    success: true,
    minimum: newest.oldestSupported,
    withdrawn: releases.flatMap(({ version, withdrawn: reason }) =>
      reason === undefined ? [] : [{ version, reason }],
    ),
    latest: { mac: mac.version, windows: windows.version },
  })
}
