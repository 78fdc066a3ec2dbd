import { mountFilms } from '../../src/islands/hero/mount.ts'
import clips from '../content/clips.json'

const container = document.querySelector('[data-films]')
if (container) {
  mountFilms(
    container,
    clips.map(({ id, title, description, alt }) => ({ id, title, description, alt })),
  )
}
