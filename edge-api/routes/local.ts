import type { Hono } from 'hono'
import { html } from 'hono/html'
import { type LocalMail, listLocalMail } from '../domain/mail/local-mailbox.ts'
import type { AppEnv } from '../http/env.ts'

/** The local mailbox. Outside a developer's machine its URLs are unknown paths. */
export function mountLocal(app: Hono<AppEnv>): void {
  app.use('/__local/mail*', async (c, next) => (c.env.ctx.isLocal ? next() : c.notFound()))
  app.get('/__local/mail.json', async (c) => c.json(await listLocalMail(c.env.ctx)))
  app.get('/__local/mail', async (c) => {
    const mails = await listLocalMail(c.env.ctx)
    c.header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'")
    return c.html(page(mails))
  })
}

function page(mails: LocalMail[]) {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>Local mailbox</title>
        <style>
          :root {
            color-scheme: light dark;
            font:
              16px/1.5 system-ui,
              sans-serif;
          }
          body {
            max-width: 46rem;
            margin: 2rem auto;
            padding: 0 1rem;
          }
          details {
            border-top: 1px solid #8884;
            padding: 0.75rem 0;
          }
          summary {
            cursor: pointer;
          }
          pre {
            white-space: pre-wrap;
            overflow-wrap: anywhere;
            font: inherit;
          }
          small {
            opacity: 0.75;
          }
        </style>
      </head>
      <body>
        <h1>Local mailbox</h1>
        <p>Mail that would have been sent, newest first. Nothing leaves this machine.</p>
        ${mails.length === 0 ? html`<p>No mail yet.</p>` : mails.map(entry)}
      </body>
    </html>`
}

function entry(mail: LocalMail) {
  return html`<details>
    <summary>
      <strong>${mail.subject}</strong><br />
      <small>${mail.to} · ${mail.status} · ${mail.createdAt}</small>
    </summary>
    <pre>${mail.text}</pre>
    <ul>
      ${mail.links.map((link) => html`<li><a href="${link}">${link}</a></li>`)}
    </ul>
  </details>`
}
