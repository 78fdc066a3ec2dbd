/**
 * Whether this visitor asked for stillness: reduced motion, or Save-Data, which films would ignore.
 * `connection` is not in every browser, hence the careful look.
 */
export function wantsStillness(view: Window): boolean {
  if (view.matchMedia('(prefers-reduced-motion: reduce)').matches) return true
  const { navigator } = view
  if (!('connection' in navigator)) return false
  const { connection } = navigator
  return (
    typeof connection === 'object' &&
    connection !== null &&
    'saveData' in connection &&
    connection.saveData === true
  )
}
