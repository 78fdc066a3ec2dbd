/** An error that a person can fix. The launcher prints its message as one line, without a stack. */
export class LaunchError extends Error {}
