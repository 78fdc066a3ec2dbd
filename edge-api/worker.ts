import { Hono } from 'hono'

const app = new Hono()
app.get('/api/health/live', (c) => c.json({ success: true }))

export default { fetch: app.fetch }
