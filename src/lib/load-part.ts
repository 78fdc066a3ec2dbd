/** The script of a part did not come. */
export class MissingPart extends Error {
  override name = 'MissingPart'
}

/**
 * Loads a script that a page needs only later. Throws `MissingPart` when it does not come. Asking again is of no use:
 * some browsers keep to a failed import, so the page has to be loaded anew.
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    throw new MissingPart('A script of the page did not load', { cause })
  }
}
