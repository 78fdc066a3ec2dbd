/** The share image of each page: up to two lines, drawn at build by build/artwork.ts. The names are Base's `image`. */
export const SHARE_IMAGES = {
  home: ['A line only', 'you can see'],
  download: ['Download', 'for macOS and Windows'],
  subscription: ['Pay once.', 'Use it for a year.'],
  careers: ['Join Our Mission'],
  contact: ['Contact Support'],
  privacy: ['Privacy'],
  terms: ['Terms'],
  refunds: ['Refunds'],
  security: ['Security'],
  changelog: ['Changelog'],
} as const

export type ShareImage = keyof typeof SHARE_IMAGES
