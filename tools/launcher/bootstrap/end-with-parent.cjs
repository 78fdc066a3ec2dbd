// Loaded into npm: when the launcher ends, even by kill -9, the kernel closes the channel, and npm ends too.
process.once('disconnect', () => process.exit(1))
process.channel?.unref()
