/** The label of a field: `workAuthorization` becomes `Work Authorization`. */
export function humanise(field: string): string {
  const words = field.replaceAll(/([A-Z])/g, ' $1')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
