import { html, raw } from 'hono/html'
import type { Brand } from '../../domain/context.ts'
import type { OpenApiDocument } from './document-shape.ts'
import { callEntry, callsOf } from './page-operation.ts'

/** The description for people: one page without scripts or content of other origins. */
export function renderPage(document: OpenApiDocument, colour: Brand['colour']) {
  const { info, tags } = document
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${info.title}</title>
        <meta name="description" content="Every call of the ${info.title}, with examples" />
        <style>
          ${raw(pageStyle(colour))}
        </style>
      </head>
      <body>
        <div class="frame">
          <header>
            <a class="home" href="/">${info.contact.name}</a>
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

/** The style sheet of /api/docs, for both themes. The page's policy contains its hash. */
const pageStyle = ({ paper, ink, muted, line, marker, onMarker, dark }: Brand['colour']) => `
@font-face { font-family: Bricolage; src: url('/fonts/bricolage.woff2') format('woff2'); font-weight: 400 800; font-display: swap; }
:root {
  color-scheme: light dark;
  --paper: light-dark(${paper}, ${dark.paper});
  --raised: light-dark(#ffffff, #171714);
  --ink: light-dark(${ink}, ${dark.ink});
  --muted: light-dark(${muted}, ${dark.muted});
  --line: light-dark(${line}, ${dark.line});
  --get: light-dark(#0b5f3c, #7fd8a8);
  --post: light-dark(#4a3a00, ${dark.marker});
  --patch: light-dark(#6b3d00, #f0b268);
  --delete: light-dark(#8e1f1f, #f29a94);
  --mono: ui-monospace, 'Cascadia Code', 'SF Mono', Menlo, Consolas, monospace;
  background: var(--paper);
  color: var(--ink);
  font: 16px/1.55 system-ui, sans-serif;
  scroll-padding-top: 24px;
}
* { box-sizing: border-box; }
body { margin: 0; }
a { color: inherit; text-underline-offset: 3px; }
:focus-visible { outline: 2px solid var(--ink); outline-offset: 3px; border-radius: 4px; }
.frame { max-width: 1120px; margin: 0 auto; padding: 40px 24px 96px; display: grid; grid-template-columns: minmax(0, 1fr); gap: 48px; }
header { max-width: 68ch; }
h1, h2, .home { font-family: Bricolage, system-ui, sans-serif; font-weight: 620; letter-spacing: -.02em; }
.home { display: inline-block; margin: 0 0 40px; padding: 4px 0; font-size: 1.25rem; text-decoration: none; }
.home:hover { text-decoration: underline; }
h1 { font-size: clamp(2rem, 1.4rem + 2.4vw, 3rem); line-height: 1.1; margin: 0 0 24px; }
h2 { font-size: 1.5rem; margin: 0 0 4px; }
h3 { font-size: .875rem; margin: 24px 0 8px; }
header p { margin: 0 0 16px; }
.marked { text-decoration: none; background: light-dark(${marker}, ${dark.marker}); color: light-dark(${onMarker}, ${dark.onMarker}); padding: 2px 10px; border-radius: 8px; font-weight: 600; display: inline-block; }
nav ul { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 8px 20px; }
nav a { color: var(--muted); text-decoration: none; }
nav a:hover { color: var(--ink); text-decoration: underline; }
.lead { color: var(--muted); margin: 0 0 16px; }
.call { border-top: 1px solid var(--line); }
.call:last-of-type { border-bottom: 1px solid var(--line); }
.call[open] { background: var(--raised); border-radius: 12px; border-color: transparent; box-shadow: 0 0 0 1px var(--line); margin: 8px 0; }
summary { display: grid; grid-template-columns: 64px minmax(0, 1fr); gap: 2px 16px; align-items: baseline; padding: 14px 16px; cursor: pointer; list-style: none; border-radius: 12px; }
summary::-webkit-details-marker { display: none; }
summary:hover { background: var(--raised); }
.method { font: 600 .75rem/1 var(--mono); letter-spacing: .04em; }
.get { color: var(--get); } .post { color: var(--post); } .patch { color: var(--patch); } .delete { color: var(--delete); }
.path { font: 500 .9375rem/1.5 var(--mono); overflow-wrap: anywhere; }
.says { grid-column: 2; color: var(--muted); font-size: .9375rem; }
.inside { padding: 0 16px 24px; min-width: 0; }
.facts { color: var(--muted); margin: 0; font-size: .9375rem; }
table { width: 100%; border-collapse: collapse; font-size: .875rem; margin: 0 0 12px; }
th, td { text-align: left; vertical-align: top; padding: 8px 16px 8px 0; border-top: 1px solid var(--line); font-weight: 400; overflow-wrap: anywhere; }
th { width: 38%; }
td:first-child { width: 3.5rem; white-space: nowrap; }
small { color: var(--muted); font-size: 1em; }
code { font-family: var(--mono); font-size: .9em; }
pre { margin: 0 0 12px; padding: 16px; background: var(--paper); border: 1px solid var(--line); border-radius: 10px; overflow-x: auto; font-size: .8125rem; line-height: 1.5; }
@media (min-width: 960px) {
  .frame { grid-template-columns: 168px minmax(0, 1fr); column-gap: 64px; }
  header { grid-column: 2; }
  nav { grid-row: 2; position: sticky; top: 32px; align-self: start; }
  nav ul { flex-direction: column; gap: 8px; }
  main { grid-column: 2; }
  summary { grid-template-columns: 64px minmax(0, 1fr) minmax(0, 1fr); }
  .says { grid-column: 3; }
}
main section { margin: 0 0 56px; }
@media print { nav { display: none; } }
`

/**
 * The policy of a page that contains exactly this style, the site's own font and no script. The hash covers the style
 * as it is between its tags.
 */
export async function stylePolicy(page: string): Promise<string> {
  const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? ''
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style))
  const hash = btoa(String.fromCharCode(...new Uint8Array(digest)))
  return `default-src 'none'; style-src 'sha256-${hash}'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
}
