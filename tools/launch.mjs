// Every npm script starts here, on whatever Node the machine has: old syntax, and no packages.
const major = Number(process.versions.node.split('.')[0])
if (major < 18) {
  console.error(
    'This project needs Node 18 or newer to start; this is ' +
      process.version +
      '. Install Node 24.',
  )
  process.exit(1)
}
import('./launcher/bootstrap/run.mjs').then((bootstrap) => bootstrap.run(process.argv.slice(2)))
