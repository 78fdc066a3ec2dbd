/** Attributes of the picture that shows until a film plays; `id` is the name of the film's files. */
export function poster(id: string) {
  return {
    srcset: `/clips/${id}-640.avif 640w, /clips/${id}.avif 1280w`,
    sizes: '(width >= 64rem) 46rem, calc(100vw - 3rem)',
    src: `/clips/${id}.avif`,
    width: 1280,
    height: 800,
  }
}
