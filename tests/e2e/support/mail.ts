import { expect, inject } from 'vitest'
import { z } from '../../../src/contract/zod.ts'

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
