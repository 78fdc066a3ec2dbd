import { spawn } from 'node:child_process'

/** Ends process groups whose starter died without a chance to do it itself (kill -9, a crash, a lost terminal). */
export interface Reaper {
  watch: (group: number) => void
  forget: (group: number) => void
  close: () => void
}

// The pipe's end is the news: the kernel closes it however the starter dies. A shell costs next to nothing.
const script = `
groups=' '
while read -r verb group; do
  case $verb in
    watch) groups="$groups$group " ;;
    forget) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
for group in $groups; do kill -s TERM -- "-$group" 2>/dev/null; done
[ "$groups" = ' ' ] || sleep 1
for group in $groups; do kill -s KILL -- "-$group" 2>/dev/null; done
`

/** Starts the reaper in a session of its own, so that a signal to our group does not reach it. */
export function startReaper(): Reaper {
  const shell = spawn('/bin/sh', ['-c', script], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  shell.unref()
  shell.on('error', () => undefined)
  shell.stdin.on('error', () => undefined)
  return {
    watch: (group) => shell.stdin.write(`watch ${group}\n`),
    forget: (group) => shell.stdin.write(`forget ${group}\n`),
    close: () => shell.stdin.end(),
  }
}
