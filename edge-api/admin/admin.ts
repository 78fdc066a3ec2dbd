import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { csrf } from 'hono/csrf'
import { ERROR_STATUS } from '../../src/contract/errors.ts'
import { SERVER } from '../../src/contract/messages.ts'
import { databaseFault } from '../domain/database-fault.ts'
import { ApiError } from '../domain/api-error.ts'
import { postAction, showAction } from './action-page.tsx'
import { leadToEvidence, showCustomer } from './customer.tsx'
import { requireAdmin, LOCAL_PATH, playAccess } from './require-admin.ts'
import { showFound } from './find.tsx'
import { showFlags } from './flags.tsx'
import { showLog } from './log.tsx'
import { type AdminEnv, showProblem } from './page.tsx'
import { sendCsv, showSubmission, showSubmissions } from './submissions.tsx'
import { showToday } from './today.tsx'

const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
const BODY_BYTES = 64 * 1024

/** The admin pages, which the Worker writes and which use no script. */
export const admin = new Hono<AdminEnv>()

admin.use(async (c, next) => {
  await next()
  c.header('Content-Security-Policy', POLICY)
  c.header('Cache-Control', 'no-store')
  c.header('X-Robots-Tag', 'noindex, nofollow')
  // Forms say where they come from, and links within the pages where one was. No other site learns anything.
  c.header('Referrer-Policy', 'same-origin')
})

admin.onError((error, c) => {
  if (error instanceof ApiError) return showProblem(c, error.message, ERROR_STATUS[error.code])
  if ('getResponse' in error) return c.text('This form came from elsewhere. Nothing was done.', 403)
  const fault = databaseFault(error)
  const { requestId, ctx } = c.env
  ctx.log.error('request failed', error, { requestId, route: c.req.method + ' /admin' })
  const says = `${fault === null ? SERVER.internal : SERVER.database} (request ${requestId})`
  return showProblem(c, says, fault === null ? 500 : 503)
})

admin.all(LOCAL_PATH, (c) => playAccess(c))

admin.use(requireAdmin)
admin.use(csrf())
admin.use(bodyLimit({ maxSize: BODY_BYTES }))
admin.get('/admin', showToday)
admin.get('/admin/style.css', async (c) => {
  const sheet = await c.env.pages.assets.fetch(new Request(new URL('/admin/style.css', c.req.url)))
  return c.body(await sheet.text(), 200, { 'Content-Type': 'text/css; charset=utf-8' })
})
admin.get('/admin/find', showFound)
admin.get('/admin/customers/:id', showCustomer)
admin.get('/admin/disputes/:id', leadToEvidence)
admin.get('/admin/submissions', showSubmissions)
admin.get('/admin/submissions.csv', sendCsv)
admin.get('/admin/submissions/:name', showSubmission)
admin.get('/admin/flags', showFlags)
admin.get('/admin/log', showLog)
admin.get('/admin/actions/:kind', showAction)
admin.post('/admin/actions/:kind', postAction)
admin.notFound((c) =>
  c.get('admin') ? showProblem(c, 'There is no such page.', 404) : c.text('Not found', 404),
)
