import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { TOTP } from 'otpauth'
import { unstable_readConfig } from 'wrangler'
import { hashPassword } from '../../edge-api/domain/account/password-hash.ts'
import { acceptedTerms } from '../../edge-api/domain/account/terms.ts'
import type { Context } from '../../edge-api/domain/context.ts'
import { idMaker } from '../../edge-api/domain/new-id.ts'
import { brand } from '../../site/brand.ts'
import { readSecrets } from '../launcher/dev-vars.ts'
import { readSettings, root, workerVars } from '../launcher/settings.ts'
import { fillMonth } from './demo-month.ts'
import { withLocalDatabase } from './local-database.ts'
import { operatorContext } from './operator-context.ts'

const PASSWORD = 'Quiet-Otter-42'
/** Of an authenticator app, in Base32. It opens nothing but databases of this machine. */
const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

/** `npm run demo`: fills the local database with a month of a shop, once, and prints how its operator signs in. */
export async function demo(): Promise<void> {
  const settings = readSettings(process.env)
  await withLocalDatabase(settings.dataDir, async (url) => {
    const declared = unstable_readConfig({ config: join(root, 'wrangler.toml'), env: '' })
    const secrets = readSecrets(join(root, '.dev.vars'))
    const vars = { ...secrets, ...workerVars(settings), DATABASE_URL: url }
    const ctx = { ...operatorContext(declared, vars), log: silent }
    const isNew = await makeOperator(ctx)
    if (isNew) await fillMonth(ctx)
    const said = isNew
      ? 'Made a month of 200 customers.'
      : 'The database has its demo already. Delete the data folder to make it anew.'
    console.log(`${said}

  Desk      http://localhost:${settings.port}/settings?tab=desk
  Email     ${brand.operatorEmail}
  Password  ${PASSWORD}
  Secret    ${SECRET}   for an authenticator app
  Code now  ${new TOTP({ secret: SECRET }).generate()}   works for half a minute; run this again for another`)
  })
}

/** The month has disputes and unknown money, of which the domain would alert. */
const silent: Context['log'] = {
  info: () => undefined,
  warn: () => undefined,
  alert: () => undefined,
  error: () => undefined,
}

/** The account of the operator. False when there is one. */
async function makeOperator(ctx: Context): Promise<boolean> {
  const { db, now } = ctx
  const id = idMaker(() => now, ctx.randomBytes)('usr')
  const email = brand.operatorEmail
  const passwordHash = await hashPassword(PASSWORD, ctx.randomBytes)
  const terms = acceptedTerms(now)
  const [made] = await db.batch([
    db.all<{ id: string }>(sql`INSERT INTO users (id, username, username_key, email, email_key,
      password_hash, is_password_proven, email_verified_at, created_at, updated_at,
      terms_version, terms_accepted_at, terms_told_version, terms_told_at)
      VALUES (${id}, 'operator', 'operator', ${email}, ${email}, ${passwordHash}, 1, ${now}, ${now}, ${now},
        ${terms.termsVersion}, ${now}, ${terms.termsToldVersion}, ${now})
      ON CONFLICT DO NOTHING RETURNING id`),
    db.run(sql`INSERT INTO totps (user_id, secret, last_step, created_at)
      SELECT id, ${SECRET}, 0, ${now} FROM users WHERE id = ${id}`),
  ])
  return made.length > 0
}
