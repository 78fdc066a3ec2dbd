import { findFile, parseUpdateInfo, resolveFiles } from 'electron-updater/out/providers/Provider.js'
import { expect, inject, test } from 'vitest'
import { appPolicyEndpoint } from '../../src/contract/app.ts'
import { DARWIN, offeredMac, offeredWindows } from '../../src/contract/release.ts'
import { releases } from '../../site/releases/releases.ts'
import { electronFeed, tauriFeed } from '../../site/releases/feeds.ts'
import { isPublished, sizeOf } from '../../site/releases/texts.ts'
import { askGood } from '../harness/ask.ts'
import { aRelease } from '../harness/releases.ts'
import { visitor } from '../harness/visitor.ts'

const BASE = new URL('/download/', inject('siteUrl'))

/** How electron-updater reads a feed: it would download the file with this ending. */
function readFeed(text: string, name: string, ending: string) {
  const info = parseUpdateInfo(text, name, new URL(name, BASE))
  const files = resolveFiles(info, BASE)
  return { info, file: findFile(files, ending, ['pkg', 'dmg']) }
}

/** The text of a file of the site. */
async function fetchText(path: string): Promise<string> {
  const response = await fetch(new URL(path, inject('siteUrl')))
  expect(response.status).toBe(200)
  expect(response.headers.get('Cache-Control')).toMatch(/max-age=0|no-cache/)
  return response.text()
}

const { version, mac } = offeredMac(releases)
const { version: windowsVersion, windows } = offeredWindows(releases)

test.each([
  ['latest-mac.yml', 'zip', version, DARWIN[mac.minimumSystem], mac.update],
  ['latest.yml', 'exe', windowsVersion, windows.minimumSystem, windows.update],
])(
  'electron-updater reads the newest release from %s, and takes the file that ends in %s',
  async (name, ending, newest, minimumSystemVersion, { url, sha512, bytes }) => {
    const { info, file } = readFeed(await fetchText(`/download/${name}`), name, ending)
    expect(info).toMatchObject({ version: newest, minimumSystemVersion })
    expect(String(file?.url)).toBe(url)
    expect(file?.info).toMatchObject({ sha512, size: bytes })
  },
)

test('electron-updater reads notes with quotes, colons and line breaks as they are', () => {
  const notes = ['He said: "no", and left - twice.', "It's #1: 100 % [done]."]
  const feed = electronFeed([aRelease('2.0.0', { notes })], 'mac')
  const { info } = readFeed(feed, 'latest-mac.yml', 'zip')
  expect(info.releaseNotes).toBe(`- ${notes.join('\n- ')}`)
  expect(new Date(info.releaseDate).toISOString()).toBe('2026-11-20T00:00:00.000Z')
})

test("the manifests of Tauri's updater have what its documentation asks for, for each platform", async () => {
  for (const [target, platforms] of [
    ['darwin', ['darwin-aarch64', 'darwin-x86_64']],
    ['windows', ['windows-x86_64']],
  ] as const) {
    const manifest = Object(JSON.parse(await fetchText(`/download/tauri-${target}.json`)))
    expect(manifest).toMatchObject({
      version,
      notes: expect.any(String),
      pub_date: expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00\.000Z$/),
    })
    expect(Object.keys(manifest.platforms).toSorted()).toEqual(platforms)
    for (const platform of platforms)
      expect(manifest.platforms[platform]).toEqual({
        url: expect.stringMatching(/^https:/),
        signature: expect.any(String),
      })
  }
  expect(tauriFeed([aRelease('2.0.0')], 'windows')).toBeNull()
})

test('/download/mac and /download/windows lead to the newest downloads', async () => {
  const leadsTo = async (path: string) => {
    const { status, headers } = await visitor().call(path)
    expect(status).toBe(302)
    return headers.get('Location')
  }
  expect(await leadsTo('/download/mac')).toBe(mac.image.url)
  expect(await leadsTo('/download/windows')).toBe(windows.page)
  expect(await leadsTo('/download/linux')).toBe('/')
})

test('the policy names the newest versions, and pages say what the release says', async () => {
  const { latest } = await askGood(visitor(), appPolicyEndpoint)
  const { notes } = offeredMac(releases)
  expect(latest).toEqual({ mac: version, windows: windowsVersion })
  const page = await fetchText('/download')
  expect(page).toContain(mac.image.url)
  // The project's own release has no files, so pages do not show their facts.
  expect(isPublished({ sha256: 'ab'.repeat(32) })).toBe(true)
  expect(page.includes(sizeOf(mac.image))).toBe(isPublished(mac.image))
  for (const path of ['/changelog', '/changelog.xml']) {
    const changes = await fetchText(path)
    for (const said of [`Version ${version}`, ...notes])
      expect(changes.includes(said), said).toBe(isPublished(mac.image))
  }
})
