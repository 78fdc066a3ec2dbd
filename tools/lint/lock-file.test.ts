import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { root } from '../launcher/settings.ts'

const Lock = z.object({
  packages: z.record(z.string(), z.object({ libc: z.array(z.string()).optional() })),
})

test('the lock file names C libraries, which npm 10 takes out of it when it installs: use npm 11', () => {
  const { packages } = Lock.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')))
  const named = Object.keys(packages).filter((path) => packages[path]?.libc !== undefined)
  expect(named.filter((path) => path.includes('rolldown/binding-linux'))).not.toEqual([])
})
