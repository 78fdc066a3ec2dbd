import type { z } from '../../../src/contract/zod.ts'
import { accountMails } from './account-mails.ts'
import type { Brand } from '../context.ts'
import type { OutgoingMail } from '../ports/mailer.ts'
import { type Message, oneLine, type Sender } from './message.ts'
import { operatorMails } from './operator-mails.ts'
import { purchaseMails } from './purchase-mails.ts'
import { submissionMails } from './submission-mails.ts'
import { supportMails } from './support-mails.ts'

const MAILS = {
  ...accountMails,
  ...purchaseMails,
  ...submissionMails,
  ...operatorMails,
  ...supportMails,
}

export type MailKind = keyof typeof MAILS

/** The data that a mail of a kind is stored with. */
export type MailPayload<Kind extends MailKind> = z.input<(typeof MAILS)[Kind]['payload']>

export type RenderedMail = Pick<OutgoingMail, 'subject' | 'text' | 'html' | 'replyTo' | 'headers'>

/** Renders a stored mail. Throws when its kind is unknown or its payload does not fit the kind. */
export function renderMail(
  { kind, payload }: { kind: string; payload: string },
  sender: Sender,
): RenderedMail {
  if (!isMailKind(kind)) throw new Error(`No mail is called "${kind}".`)
  const message = MAILS[kind].write(JSON.parse(payload), sender)
  return {
    subject: oneLine(message.subject),
    text: renderText(message, sender.brand),
    html: renderHtml(message, sender.brand),
    headers: headersOf(message),
    ...(message.replyTo === undefined ? {} : { replyTo: oneLine(message.replyTo) }),
  }
}

/** Keeps vacation responders still, and lets mail programs offer to unsubscribe. */
function headersOf({ writtenBy, unsubscribe }: Message): Record<string, string> {
  const submitted = writtenBy === undefined ? 'auto-generated' : 'auto-replied'
  return {
    ...(writtenBy === 'person' ? {} : { 'Auto-Submitted': submitted }),
    ...(unsubscribe === undefined ? {} : { 'List-Unsubscribe': `<${unsubscribe}>` }),
  }
}

function isMailKind(kind: string): kind is MailKind {
  return Object.hasOwn(MAILS, kind)
}

/** The plain-text part of a mail. */
function renderText(message: Message, brand: Brand): string {
  const blocks = [...message.paragraphs]
  if (message.rows) blocks.push(message.rows.map(([name, value]) => `${name}: ${value}`).join('\n'))
  if (message.action) blocks.push(`${message.action.label}:\n${message.action.url}`)
  if (message.note !== undefined) blocks.push(message.note)
  blocks.push(`${brand.productName}, ${brand.legalEntity}\n${brand.supportEmail}`)
  return blocks.join('\n\n')
}

/** The HTML part: one column, inline styles (mail programs know no other), everything escaped. */
function renderHtml(message: Message, brand: Brand): string {
  const { colour } = brand
  const parts = message.paragraphs.map((text) => `<p style="margin:0 0 16px">${inLines(text)}</p>`)
  if (message.rows) parts.push(renderRows(message.rows, colour))
  if (message.action) parts.push(renderAction(message.action, colour))
  if (message.note !== undefined) {
    parts.push(
      `<p style="margin:0 0 16px;color:${colour.muted};font-size:14px">${inLines(message.note)}</p>`,
    )
  }
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(message.subject)}</title></head><body style="margin:0;background:${colour.paper};color:${colour.ink};font:16px/1.5 system-ui,sans-serif"><div style="max-width:560px;margin:0 auto;padding:32px 24px;word-break:break-word"><p style="margin:0 0 24px;font-weight:700;font-size:20px">${escapeHtml(brand.productName)}</p>${parts.join('')}<p style="margin:32px 0 0;padding-top:16px;border-top:1px solid ${colour.line};color:${colour.muted};font-size:14px">${escapeHtml(brand.legalEntity)} · <a style="color:${colour.muted}" href="mailto:${escapeHtml(brand.supportEmail)}">${escapeHtml(brand.supportEmail)}</a></p></div></body></html>`
}

function renderRows(rows: NonNullable<Message['rows']>, { muted }: Brand['colour']): string {
  const lines = rows.map(
    ([name, value]) =>
      `<tr><td style="padding:6px 16px 6px 0;color:${muted};word-break:normal">${escapeHtml(name)}</td><td style="padding:6px 0">${inLines(value)}</td></tr>`,
  )
  return `<table style="margin:0 0 16px;border-collapse:collapse">${lines.join('')}</table>`
}

function renderAction(
  { label, url }: NonNullable<Message['action']>,
  { paper, ink, muted }: Brand['colour'],
): string {
  const href = escapeHtml(url)
  return `<p style="margin:0 0 16px"><a href="${href}" style="display:inline-block;padding:12px 20px;border-radius:10px;background:${ink};color:${paper};text-decoration:none">${escapeHtml(label)}</a></p><p style="margin:0 0 16px;color:${muted};font-size:14px;word-break:break-all">${href}</p>`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text as HTML. Outlook knows no `white-space`, so a line ends with an element. */
function inLines(text: string): string {
  return escapeHtml(text).replaceAll(/\r\n?|\n/g, '<br>')
}

/** Escapes text for HTML, between tags and in quoted attributes. */
function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
