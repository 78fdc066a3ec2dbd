import { mkdir, writeFile } from 'node:fs/promises'
import type { AstroIntegration } from 'astro'
import sharp from 'sharp'
import { brand } from '../brand.ts'
import { SHARE_IMAGES } from '../seo/share-images.ts'
import { icoFromPng, iconSvg } from './icon.ts'
import { outlineWriter } from './outline.ts'
import { shareImageSvg } from './share-image.ts'

const ICONS = { 'icon-192.png': 192, 'icon-512.png': 512, 'apple-touch-icon.png': 180 } as const

/** Draws what is a picture only because others ask for pictures: share images and icons. */
export function artwork(): AstroIntegration {
  return {
    name: 'artwork',
    hooks: {
      'astro:build:done': async ({ dir }) => {
        await Promise.all([drawShareImages(dir), drawIcons(dir)])
      },
    },
  }
}

async function drawShareImages(dir: URL) {
  const folder = new URL('og/', dir)
  await mkdir(folder, { recursive: true })
  const pages = Object.entries(SHARE_IMAGES)
  const texts = pages.flatMap(([, lines]) => lines)
  const write = await outlineWriter([brand.productName, 'only you see this', ...texts].join(''))
  for (const [page, lines] of pages) {
    const svg = Buffer.from(shareImageSvg(lines, write))
    await sharp(svg)
      .png({ palette: true, effort: 10 })
      .toFile(filePath(`${page}.png`, folder))
  }
}

async function drawIcons(dir: URL) {
  for (const [name, size] of Object.entries(ICONS)) {
    await sharp(Buffer.from(iconSvg(size)))
      .png({ palette: true })
      .toFile(filePath(name, dir))
  }
  const small = await sharp(Buffer.from(iconSvg(32)))
    .png()
    .toBuffer()
  await writeFile(new URL('favicon.ico', dir), icoFromPng(small))
}

const filePath = (name: string, folder: URL) => decodeURIComponent(new URL(name, folder).pathname)
