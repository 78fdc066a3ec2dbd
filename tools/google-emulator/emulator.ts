import { randomBytes } from 'node:crypto'
import { Hono } from 'hono'
import { z } from '../../src/contract/zod.ts'
import { AuthorizationRequest, PEOPLE, Person, returnTo, typedPerson } from './authorization.ts'
import { choosePage, rejectionPage } from './page.ts'
import { createSigner, exchange, Fault, type Grant } from './tokens.ts'

const Control = z.object({ fault: Fault })
const Typed = z.object({
  name: z.string().max(200).default(''),
  email: z.string().min(3).max(254),
  email_verified: z.string().optional(),
})

/** An emulator of Google's OpenID provider. It is as strict as Google, and can give wrong answers when told. */
export async function createGoogleEmulator(issuer: string): Promise<Hono> {
  const app = new Hono()
  const signer = await createSigner(issuer)
  const grants = new Map<string, Grant>()
  let nextFault: Fault | null = null
  const takeFault = () => {
    const fault = nextFault
    nextFault = null
    return fault
  }

  app.get('/__emu/health', (c) => c.json({ ok: true }))
  app.get('/jwks', (c) => c.json(signer.jwks))
  app.post('/token', (c) => exchange(c, { grants, signer, takeFault }))

  app.get('/authorize', (c) => {
    const request = AuthorizationRequest.safeParse(c.req.query())
    if (request.success) return c.html(choosePage(request.data))
    return c.html(rejectionPage(request.error.issues.map((issue) => issue.message)), 400)
  })
  app.post('/authorize', async (c) => {
    const form = await c.req.parseBody()
    const request = AuthorizationRequest.safeParse(form)
    if (!request.success) return c.html(rejectionPage(['the request was changed']), 400)
    const person = personOf(form)
    if (person === null) return c.redirect(returnTo(request.data, { error: 'access_denied' }))
    const code = randomBytes(24).toString('base64url')
    grants.set(code, { request: request.data, person })
    return c.redirect(returnTo(request.data, { code }))
  })

  // A page of another site cannot send this header without a preflight.
  app.post('/__emu/next', async (c) => {
    const control = Control.safeParse(await c.req.json().catch(() => null))
    if (c.req.header('x-emu-control') !== 'local' || !control.success) {
      return c.json({ ok: false }, 400)
    }
    nextFault = control.data.fault
    return c.json({ ok: true })
  })
  return app
}

/** The person who was chosen or entered; null after Cancel. Scripts may post a whole person as JSON. */
function personOf(form: Record<string, unknown>): Person | null {
  if (form['answer'] === 'deny') return null
  if (typeof form['person'] === 'string') return Person.parse(JSON.parse(form['person']))
  const known = PEOPLE.find((person) => person.sub === form['sub'])
  if (known !== undefined) return known
  const { name, email, email_verified } = Typed.parse(form)
  return typedPerson({ name, email, email_verified: email_verified === 'yes' })
}
