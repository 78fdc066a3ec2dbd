import { expect, test } from 'vitest'
import { staleArtwork } from './artwork.ts'

test('icons, share images, films and photographs show what site/brand.ts says; if not, npm run artwork', () => {
  expect(staleArtwork()).toEqual([])
})
