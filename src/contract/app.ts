import { defineEndpoint, success } from './endpoint.ts'
import { Version } from './release.ts'
import { z } from './zod.ts'

/**
 * Which versions of the desktop app may be used. An app that is older than `minimum`, or withdrawn, tells its user and
 * offers the latest; an app that cannot ask uses the last answer.
 */
export const appPolicyEndpoint = defineEndpoint({
  id: 'appPolicy',
  method: 'GET',
  path: '/api/app/policy',
  access: 'public',
  success: success({
    minimum: Version,
    /** Versions that nobody should use, with the reason as a sentence for users. */
    withdrawn: z.array(z.object({ version: Version, reason: z.string().max(240) })).max(1_000),
    latest: z.object({ mac: Version, windows: Version }),
  }),
})

/** Mails the link to the downloads to the account's own verified address, for somebody who met us on a phone. */
export const mailDownloadEndpoint = defineEndpoint({
  id: 'mailDownload',
  method: 'POST',
  path: '/api/app/mail-download',
  access: 'session',
  success: success({}),
  errors: ['NOTHING_TO_CHANGE'],
  limit: 'mail',
})
