/** Below this width the part around the answer is shown instead of the whole film (site/sections/home/films.css). */
const NARROW = '(width < 40rem)'

/** In Films.astro, a script corrects it for visitors who chose a theme. */
export const DARK = '(prefers-color-scheme: dark)'

/**
 * The picture that shows until a film plays: the sources of a <picture> and its <img>. `id` is the name of the film's files.
 * While `theme` is null, only the browser knows which theme it shows.
 */
export function posterOf(id: string, theme: 'light' | 'dark' | null) {
  const file = (ending: string) => `/clips/${id}${ending}.avif`
  const own = theme === 'dark' ? '-dark' : ''
  const bySystem = [
    { media: `${NARROW} and ${DARK}`, srcSet: file('-dark-narrow') },
    { media: DARK, srcSet: file('-dark') },
  ]
  return {
    sources: [
      ...(theme === null ? bySystem : []),
      { media: NARROW, srcSet: file(`${own}-narrow`) },
    ],
    image: { src: file(own), width: 1280, height: 800 },
  }
}
