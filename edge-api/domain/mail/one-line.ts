/** Replaces line breaks: a header ends at one, so a repeated text could start another header. */
export function oneLine(value: string): string {
  return value.replaceAll(/[\r\n\u2028\u2029]+/g, ' ').slice(0, 300)
}
