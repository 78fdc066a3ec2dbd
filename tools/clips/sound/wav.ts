import { sampleRate } from './voices.ts'

const bytesPerSample = 2
const headerBytes = 44

/** A mono WAV file of 16-bit PCM. Samples beyond -1 and 1 are an error, not clipped. */
export function toWav(samples: Float32Array): Buffer {
  const dataBytes = samples.length * bytesPerSample
  const file = Buffer.alloc(headerBytes + dataBytes)
  file.write('RIFF', 0, 'latin1')
  file.writeUInt32LE(headerBytes - 8 + dataBytes, 4)
  file.write('WAVEfmt ', 8, 'latin1')
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(sampleRate, 24)
  file.writeUInt32LE(sampleRate * bytesPerSample, 28)
  file.writeUInt16LE(bytesPerSample, 32)
  file.writeUInt16LE(bytesPerSample * 8, 34)
  file.write('data', 36, 'latin1')
  file.writeUInt32LE(dataBytes, 40)
  samples.forEach((sample, index) => {
    file.writeInt16LE(Math.round(sample * 32_767), headerBytes + index * bytesPerSample)
  })
  return file
}
