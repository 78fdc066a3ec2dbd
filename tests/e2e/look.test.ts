import { expect, test } from 'vitest'
import { takePictures } from '../../tools/look/look.ts'

// `npm run look` sets LOOK to its arguments: names of viewers, and paths. No other run takes pictures.
test.skipIf(process.env['LOOK'] === undefined)(
  'every page and state is photographed',
  async () => {
    const words = (process.env['LOOK'] ?? '').split(' ').filter(Boolean)
    expect(await takePictures(words)).toEqual([])
  },
  900_000,
)
