/** A script that a page loads on demand could not be loaded. */
export class MissingPart extends Error {
  override name = 'MissingPart'
}

/**
 * Loads a script on demand. Throws `MissingPart` when that fails. Retrying is useless, because some browsers cache a
 * failed import; the page has to be reloaded.
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    throw new MissingPart('A script of the page did not load', { cause })
  }
}
