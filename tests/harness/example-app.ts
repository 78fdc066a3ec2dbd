import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'
import type { SavedState } from '../../docs/desktop-app/client.ts'
import { root } from '../../tools/launcher/settings.ts'
import { testFolder } from './test-folder.ts'

/** Runs the example of docs/desktop-app in a process of its own. */
export function startExample(origin: string, kept: SavedState | null = null) {
  const file = join(testFolder('example'), 'kept.json')
  if (kept !== null) writeFileSync(file, JSON.stringify(kept))
  const words = ['tools/launch.mjs', 'docs/desktop-app/example.mjs', 'example']
  const app = spawn(process.execPath, [...words, origin, file], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    app.kill()
  })
  let printed = ''
  app.stdout.on('data', (bytes: Buffer) => (printed += bytes.toString()))
  const sees = (text: RegExp) =>
    vi.waitFor(() => text.exec(printed) ?? expect.fail(printed), { timeout: 60_000 })
  const end = async () => {
    // It stays open, as a terminal does.
    app.stdin.write('\n')
    await once(app, 'close')
    expect(printed).toMatch(/Signed out\.\n$/)
  }
  return { file, input: app.stdin, sees, end }
}
