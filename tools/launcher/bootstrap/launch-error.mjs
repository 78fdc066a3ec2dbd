/** A fault that a person can act on: its message is the one line they read, without a stack. */
export class LaunchError extends Error {}
