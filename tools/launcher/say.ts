/** Prints one line for the person at the terminal. */
export function say(line: string): void {
  console.log(line)
}
