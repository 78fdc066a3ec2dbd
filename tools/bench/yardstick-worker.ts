import { createClient, LibsqlError } from '@libsql/client/web'
import { Hono } from 'hono'

/**
 * The yardstick of our calls: the least time that Hono and the libSQL client need for a constant, for one row, and for
 * a batch that writes two rows.
 */
const app = new Hono<{ Bindings: { DATABASE_URL: string } }>()

app.get('/api/bare/constant', (c) => c.json({ success: true }))

app.get('/api/bare/read', async (c) => {
  const client = createClient({ url: c.env.DATABASE_URL })
  const args = [c.req.query('id') ?? '']
  const { rows } = await client.execute({ sql: 'SELECT id, email FROM users WHERE id = ?', args })
  return c.json({ success: true, user: rows[0] })
})

app.get('/api/bare/write', async (c) => {
  const client = createClient({ url: c.env.DATABASE_URL })
  const id = crypto.randomUUID()
  const statements = [
    { sql: 'INSERT INTO bare_uses (id, tokens) VALUES (?, 1)', args: [id] },
    { sql: 'UPDATE bare_balance SET used = used + 1 WHERE id = 1', args: [] },
    { sql: 'SELECT used FROM bare_balance WHERE id = 1', args: [] },
  ]
  for (;;) {
    try {
      const results = await client.batch(statements, 'write')
      return c.json({ success: true, balance: results[2]?.rows[0] })
    } catch (error) {
      // The server refuses writes while it moves its log into the database.
      if (!(error instanceof LibsqlError && error.code === 'SQLITE_BUSY')) throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
})

export default app
