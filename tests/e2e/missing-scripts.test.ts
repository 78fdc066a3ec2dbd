import { test } from 'vitest'
import { expectMended, openCutOff, SCRIPTS } from './support/cut-off.ts'
import { expectPath } from './support/user.ts'

// Further pages and parts: missing-scripts.nightly.test.ts.
test('a page without its scripts says so once, and Try Again works when they load', async () => {
  const { page, mend } = await openCutOff('/dashboard', SCRIPTS)
  await expectMended(page, mend, /^Hello/)
  await expectPath(page, '/dashboard')
})
