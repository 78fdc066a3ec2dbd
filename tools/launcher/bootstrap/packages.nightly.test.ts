import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../../../tests/harness/test-folder.ts'
import { ensurePackages, runNpm } from './packages.mjs'

test('a package built for this machine that npm left out is named', async () => {
  const root = testFolder('packages')
  const native = {
    name: 'native',
    version: '1.0.0',
    ...{ os: [process.platform], cpu: [process.arch], engines: { node: '>=999' } },
    ...(process.platform === 'linux' ? { libc: ['glibc', 'musl'] } : {}),
  }
  writeFileSync(join(root, 'package.json'), JSON.stringify(native))
  await runNpm(['pack'], { cwd: root, what: 'The package' })
  const optionalDependencies = { native: 'file:native-1.0.0.tgz' }
  const packages = {
    '': { optionalDependencies },
    'node_modules/native': { ...native, resolved: 'file:native-1.0.0.tgz', optional: true },
  }
  writeFileSync(join(root, 'package.json'), JSON.stringify({ optionalDependencies }))
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }))
  await expect(ensurePackages(root)).rejects.toThrow('native could not be downloaded')
})
