import { html } from 'hono/html'
import { type AuthorizationRequest, PEOPLE, type Person } from './authorization.ts'

/** The page that asks who signs in. Each choice is a button of a form. */
export function choosePage(request: AuthorizationRequest) {
  return frame(
    'Who are you?',
    html`
      <p>This stands in for Google on this machine. Nobody here is real.</p>
      ${PEOPLE.map((person) => form(request, knownPerson(person)))} ${form(request, TYPED_PERSON)}
      ${form(request, html`<button name="answer" value="deny">Cancel</button>`)}
    `,
  )
}

export function rejectionPage(reasons: string[]) {
  return frame('Google would refuse this request', html`<p>${reasons.join('; ')}.</p>`)
}

type Html = ReturnType<typeof html>

function form(request: AuthorizationRequest, inside: Html): Html {
  return html`<form method="post" action="/authorize">
    ${Object.entries(request).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
    )}
    ${inside}
  </form>`
}

function knownPerson({ sub, name, email, email_verified }: Person): Html {
  return html`<button name="sub" value="${sub}">
    ${name}<br /><small>${email}${email_verified ? '' : ', not verified'}</small>
  </button>`
}

const TYPED_PERSON = html`
  <fieldset>
    <legend>Somebody else</legend>
    <label>Name <input name="name" value="Test Person" /></label>
    <label>Email <input name="email" type="email" required value="person@example.com" /></label>
    <label
      ><input name="email_verified" type="checkbox" value="yes" checked /> Google has verified
      it</label
    >
    <button name="answer" value="typed">Continue</button>
  </fieldset>
`

function frame(title: string, body: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title}</title>
        <style>
          :root {
            color-scheme: light dark;
            font:
              16px/1.5 system-ui,
              sans-serif;
          }
          body {
            max-width: 24rem;
            margin: 3rem auto;
            padding: 0 1rem;
          }
          form {
            margin: 0.75rem 0;
          }
          button {
            width: 100%;
            padding: 0.6rem;
            font: inherit;
            text-align: left;
          }
          label {
            display: block;
            margin: 0.5rem 0;
          }
        </style>
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html>`
}
