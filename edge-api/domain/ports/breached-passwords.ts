/** Somebody who collects the passwords of data breaches. */
export interface BreachedPasswords {
  /**
   * Whether a password is among them. Never throws and never takes long: whoever cannot be asked is
   * told to the log, and the answer is no.
   */
  has: (password: string) => Promise<boolean>
}
