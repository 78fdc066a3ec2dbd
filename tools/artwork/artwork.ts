import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { brand } from '../../site/brand.ts'
import { FILM_COLOURS } from '../clips/film.ts'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'
import { TITLES } from './images.ts'

/** The committed artwork that is drawn from site/brand.ts: for each kind, the values that it shows and how it is made. */
const KINDS: Record<string, { shows: unknown; make: () => Promise<void> }> = {
  images: {
    shows: { name: brand.productName, colour: brand.colour, titles: TITLES },
    make: async () => (await import('./images.ts')).drawImages(),
  },
  photographs: {
    shows: { name: brand.productName, colour: brand.colour },
    make: async () => (await import('./photographs.ts')).takePhotographs(),
  },
  // Last, because they need a program that not every machine has.
  films: {
    shows: FILM_COLOURS,
    make: async () => (await import('../clips/main.ts')).makeClips(),
  },
}

/** The values that each kind showed when it was last made. */
const DRAWN = new URL('drawn.json', import.meta.url)

function readDrawn(): Record<string, unknown> {
  return existsSync(DRAWN) ? JSON.parse(readFileSync(DRAWN, 'utf8')) : {}
}

/** The kinds of artwork whose names, colours or titles are out of date. */
export function staleArtwork(): string[] {
  const drawn = readDrawn()
  return Object.keys(KINDS).filter((kind) => !isDeepStrictEqual(drawn[kind], KINDS[kind]?.shows))
}

/**
 * `npm run artwork`: makes the artwork that is stale; `npm run artwork -- KIND…` makes these kinds, stale or not. Icons and
 * share images take seconds, photographs need a build, and films take some minutes each and need ffmpeg.
 */
export async function artwork(words: string[]): Promise<void> {
  const wanted = words.length > 0 ? words : staleArtwork()
  if (wanted.length === 0) console.log('All artwork shows the names and colours of site/brand.ts.')
  for (const kind of wanted) {
    const known = KINDS[kind]
    if (known === undefined) {
      throw new LaunchError(
        `There is no artwork "${kind}". Known: ${Object.keys(KINDS).join(', ')}.`,
      )
    }
    console.log(`Making the ${kind} …`)
    await known.make()
    writeFileSync(DRAWN, `${JSON.stringify({ ...readDrawn(), [kind]: known.shows }, null, 2)}\n`)
  }
}
