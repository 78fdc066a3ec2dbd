/**
 * Whether this visitor prefers reduced motion or saves data. Not every browser has `navigator.connection`.
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
