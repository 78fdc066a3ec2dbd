import { inlineScript } from './inline-script.ts'

/** Below this width the part around the answer is shown instead of the whole film (Films.astro). */
const NARROW = '(max-width: 39.99rem)'

const DARK = '(prefers-color-scheme: dark)'

/**
 * The picture that shows until a film plays: the sources of a <picture> and its <img>, a JPEG for Safari before 16.4. `id` is
 * the name of the film's files.
 */
export function posterOf(id: string) {
  const source = (ending: string, media?: string) => ({
    media,
    srcset: `/clips/${id}${ending}.avif`,
    type: 'image/avif',
  })
  return {
    sources: [
      source('-dark-narrow', `${NARROW} and ${DARK}`),
      source('-dark', DARK),
      source('-narrow', NARROW),
      source(''),
    ],
    image: { src: `/clips/${id}.jpg`, width: 1280, height: 800 },
  }
}

/**
 * Sources of pictures follow the system. Right after them, this makes them follow a theme that the visitor chose, before the
 * first picture loads.
 */
export const FOLLOW_CHOICE = inlineScript(`(${followChoice.toString()})('${DARK}')`)

function followChoice(dark: string) {
  const root = document.documentElement
  const follow = () => {
    const { theme } = root.dataset
    const wanted = theme ? (theme === 'dark' ? '(min-width: 0)' : '(max-width: 0)') : dark
    for (const source of document.querySelectorAll('source')) {
      source.dataset['media'] ??= source.media
      source.media = source.dataset['media'].replace(dark, wanted)
    }
  }
  follow()
  new MutationObserver(follow).observe(root, { attributeFilter: ['data-theme'] })
}
