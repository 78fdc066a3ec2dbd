import type { Release } from '../../src/contract/release.ts'

type Changes = Partial<Omit<Release, 'mac' | 'windows' | 'withdrawn'>> & {
  withdrawn?: string
  windows?: undefined
  sha256?: string
  origin?: string
}

/** The content of a release's file. */
export function aRelease(version: string, changes: Changes = {}): Release {
  const { sha256 = '0a'.repeat(32), origin = 'https://files.test', ...rest } = changes
  const file = (name: string) => ({
    url: `${origin}/${version}/${name}`,
    bytes: 84_400_000,
    sha256,
    sha512: `${'aB3+'.repeat(21)}aa==`,
  })
  const tauri = (name: string) => ({ url: `${origin}/${version}/${name}`, signature: 'dW50cnVz' })
  return {
    version,
    date: '2026-11-20',
    notes: ['It answers sooner.', 'Nothing else changed.'],
    oldestSupported: version,
    mac: {
      minimumSystem: '10.15',
      image: file('app.dmg'),
      update: file('app-mac.zip'),
      tauri: tauri('app.app.tar.gz'),
    },
    windows: {
      minimumSystem: '10.0.10240',
      page: 'https://store.test/app',
      update: file('setup.exe'),
    },
    seen: [],
    ...rest,
  }
}
