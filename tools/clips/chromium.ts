import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'
import packedChromium from '@sparticuz/chromium'

const installed = ['/usr/bin/chromium', '/usr/bin/google-chrome']

/** Starts a headless Chromium: the one named by `CHROME_PATH`, an installed one, or npm's. */
export async function startChromium(chromePath: string | undefined): Promise<Browser> {
  const found = chromePath ?? installed.find((path) => existsSync(path))
  const args = ['--hide-scrollbars', '--force-color-profile=srgb', '--font-render-hinting=none']
  if (found !== undefined) return chromium.launch({ executablePath: found, args })
  return chromium.launch({
    executablePath: await packedChromium.executablePath(),
    args: [...packedChromium.args, ...args],
  })
}
