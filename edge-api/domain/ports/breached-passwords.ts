/** A list of passwords from data breaches. */
export interface BreachedPasswords {
  /**
   * Whether a password is in it. Never throws and never takes long: without an answer it logs a warning and says no.
   */
  has: (password: string) => Promise<boolean>
}
