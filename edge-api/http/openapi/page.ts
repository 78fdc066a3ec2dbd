import { html, raw } from 'hono/html'
import type { OpenApiDocument } from './document-shape.ts'
import { callEntry, callsOf } from './page-operation.ts'
import { PAGE_STYLE } from './page-style.ts'

/** The description for people: one page, no script, nothing from elsewhere. */
export function renderPage(document: OpenApiDocument) {
  const { info, tags } = document
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${info.title}</title>
        <meta name="description" content="Every call of the ${info.title}, with examples" />
        <style>
          ${raw(PAGE_STYLE)}
        </style>
      </head>
      <body>
        <div class="frame">
          <header>
            <a class="home" href="/">Sotto</a>
            <h1>${info.title}</h1>
            ${info.description.split('\n\n').map((text) => html`<p>${withCode(text)}</p>`)}
            <p>
              <a class="marked" href="/api/openapi.json">openapi.json</a>
              OpenAPI ${document.openapi}, to generate a client from. Questions:
              <a href="mailto:${info.contact.email}">${info.contact.email}</a>
            </p>
          </header>
          <nav aria-label="Chapters">
            <ul>
              ${tags.map(({ name }) => html`<li><a href="#${anchor(name)}">${name}</a></li>`)}
            </ul>
          </nav>
          <main>${tags.map((tag) => chapter(document, tag))}</main>
        </div>
      </body>
    </html>`
}

function chapter(document: OpenApiDocument, tag: { name: string; description: string }) {
  return html`<section id="${anchor(tag.name)}">
    <h2>${tag.name}</h2>
    <p class="lead">${tag.description}</p>
    ${callsOf(document, tag.name).map(callEntry)}
  </section>`
}

function anchor(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-')
}

/** `this` becomes code, as in the document's own Markdown. */
function withCode(text: string) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))
}
