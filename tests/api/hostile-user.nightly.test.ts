import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { registerEndpoint } from '../../src/contract/session.ts'
import { root } from '../../tools/launcher/settings.ts'
import { askGood } from '../harness/ask.ts'
import { launch, ownSettings, untilReady } from '../harness/launch.ts'
import { newRegistration } from '../harness/registration.ts'
import { scratchFolder } from '../harness/scratch-folder.ts'
import { newVisitor } from '../harness/visitor.ts'

/** Neither root nor anybody who has a name, where the tests may become another user. */
const NOBODY = process.getuid?.() === 0 ? { uid: 61_001, gid: 61_001 } : {}

const GIT_CONFIG =
  '[core]\n\thooksPath = /nowhere\n[commit]\n\tgpgSign = true\n[status]\n\tshowUntrackedFiles = no\n'

test('a user without a name, in an odd path, with settings of other work, starts the site and tests it', async () => {
  const { path: scratch, remove } = scratchFolder('hostile')
  // A slow machine takes minutes to delete all packages.
  onTestFinished(remove, 900_000)
  const home = join(scratch, "o'né here")
  const tree = join(home, 'clone')
  mkdirSync(home)
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, tree])
  cpSync(join(root, 'node_modules'), join(tree, 'node_modules'), {
    recursive: true,
    verbatimSymlinks: true,
  })
  writeFileSync(join(home, '.gitconfig'), GIT_CONFIG)
  if (NOBODY.uid) execFileSync('chown', ['-R', `${NOBODY.uid}:${NOBODY.gid}`, scratch])
  const settings = await ownSettings(join(tree, '.data'))
  const env = {
    ...{ ...settings, HOME: home, TMPDIR: home, LC_ALL: 'de_DE', TZ: 'Pacific/Auckland' },
    ...{ NODE_ENV: 'production', DATABASE_URL: 'https://foreign.example' },
    ...{ GOOGLE_CLIENT_ID: 'foreign', GOOGLE_CLIENT_SECRET: 'foreign' },
    ...{ NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://127.0.0.1:9' },
  }
  const mask = process.umask(0o077)
  const site = launch(tree, 'start', env, NOBODY)
  onTestFinished(async () => {
    process.umask(mask)
    site.child.kill()
    await site.ended
  })
  await untilReady(site)
  expect(site.text()).not.toContain('not ready')
  const url = `http://127.0.0.1:${settings.PORT}`
  expect(await (await fetch(url)).text()).toContain('</html>')
  await askGood(newVisitor(url), registerEndpoint, { body: newRegistration() })
  const tests = launch(tree, 'test tools/ops/ops.test.ts', env, NOBODY)
  await tests.ended
  expect(tests.text()).toMatch(/tests: [1-9]\d* passed, 0 failed/)
}, 1_800_000)
