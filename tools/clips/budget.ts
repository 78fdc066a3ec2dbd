/** What a visitor may be asked to download for one clip (docs: README.md in this folder). */
export const frame = { width: 1280, height: 800, perSecond: 30 } as const

/** The still for phones, which show it at less than half the width. */
export const smallPoster = { width: 640, height: 400 } as const

export const duration = { leastMs: 10_000, mostMs: 16_000 } as const

/** Most bytes of each file, by what follows the slug in its name. */
export const mostBytes = {
  '.webm': 400_000,
  '.mp4': 400_000,
  '.avif': 12_000,
  '-640.avif': 9_000,
  '.vtt': 4_000,
} as const
