import { desc } from 'drizzle-orm'
import { mails } from '../../db/schema/records.ts'
import type { Context } from '../context.ts'
import { toIso } from '../time.ts'
import type { RenderedMail } from './render.ts'

const NEWEST = 100

/** The mails that production would have sent, newest first. Mounted only on a developer's machine. */
export async function listLocalMail(ctx: Context) {
  const [rows] = await ctx.db.batch([
    ctx.db.select().from(mails).orderBy(desc(mails.createdAt), desc(mails.id)).limit(NEWEST),
  ])
  const { renderMail } = await import('./render.ts')
  return rows.map((mail) => {
    const rendered = renderOrExplain(() => renderMail(mail, ctx), mail)
    const { subject, text, html, replyTo = null, headers = {} } = rendered
    return {
      id: mail.id,
      to: mail.toAddress,
      replyTo,
      headers,
      subject,
      text,
      html,
      links: [...new Set(text.match(/https?:\/\/\S+/g) ?? [])],
      status: mail.failedAt !== null ? 'failed' : mail.sentAt !== null ? 'sent' : 'queued',
      createdAt: toIso(mail.createdAt),
    }
  })
}

export type LocalMail = Awaited<ReturnType<typeof listLocalMail>>[number]

function renderOrExplain(
  render: () => RenderedMail,
  mail: typeof mails.$inferSelect,
): RenderedMail {
  try {
    return render()
  } catch {
    const problem = `A "${mail.kind}" mail whose payload cannot be read`
    return { subject: problem, text: problem, html: problem }
  }
}
