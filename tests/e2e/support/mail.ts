import { expect, inject } from 'vitest'
import { forgotPasswordEndpoint } from '../../../src/contract/credential.ts'
import { z } from '../../../src/contract/zod.ts'
import { askGood } from '../../harness/ask.ts'
import { newVisitor } from '../../harness/visitor.ts'

const Mail = z.object({ to: z.string(), subject: z.string(), links: z.array(z.string()) })

/** The path of the newest link mailed to an address that leads below `page`, as soon as it is there. */
export async function mailedPath(to: string, page: string): Promise<string> {
  const find = async () => {
    const response = await fetch(new URL('/__local/mail.json', inject('siteUrl')))
    const mails = z.array(Mail).parse(await response.json())
    const links = mails.filter((mail) => mail.to === to).flatMap((mail) => mail.links)
    const paths = links.map((link) => new URL(link).pathname)
    return paths.find((path) => path.startsWith(`${page}/`)) ?? ''
  }
  await expect.poll(find, { timeout: 10_000 }).not.toBe('')
  return find()
}

/** The path of a reset link that has just been asked for. */
export async function resetPath(email: string): Promise<string> {
  await askGood(newVisitor(inject('siteUrl')), forgotPasswordEndpoint, { body: { email } })
  return mailedPath(email, '/reset-password')
}
