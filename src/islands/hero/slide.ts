import { createFilm, type Film, type FilmState } from './film.ts'
import { poster } from './poster.ts'

export interface Slide {
  readonly set: (state: FilmState) => void
}

interface Listeners {
  /** The position in the film that is shown, from 0 to 1. */
  readonly onProgress: (part: number) => void
  readonly onFailed: () => void
}

/**
 * One slide: an element with `data-clip`, the name of its files. Its poster loads when the slide first shows (`data-alt`
 * says what is on it), the film when it first plays; the text is always there.
 */
export function createSlide(element: HTMLElement, listeners: Listeners): Slide {
  const { clip: id = '', alt = '' } = element.dataset
  const title = element.querySelector('h2')?.textContent ?? ''
  let media = element.querySelector('.clip-media')
  let film: Film | null = null

  function createMedia(): Element {
    const created = document.createElement('div')
    created.className = 'clip-media'
    created.append(Object.assign(new Image(), poster(id), { alt }))
    element.prepend(created)
    return created
  }

  return {
    set: (state) => {
      element.toggleAttribute('data-current', state.isCurrent)
      if (state.isCurrent) media ??= createMedia()
      if (state.isPlaying && film === null) {
        film = createFilm({ id, title, ...listeners })
        media?.append(film.video)
      }
      film?.set(state)
    },
  }
}
