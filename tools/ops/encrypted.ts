import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'

type Bytes = AsyncIterable<Uint8Array>

/** Whether a file's name says that it is encrypted, in the format that the `age` command opens too. */
export const isEncrypted = (file: string) => file.endsWith('.age')

/** A new BACKUP_KEY. */
export const newBackupKey = () => generateX25519Identity()

/** Encrypts a stream piece by piece. Throws a LaunchError when the key is missing or invalid. */
export async function* encryptChunks(
  chunks: Bytes,
  key: string | undefined,
): AsyncGenerator<Uint8Array> {
  const encrypter = new Encrypter()
  encrypter.addRecipient(await identityToRecipient(requireKey(key)))
  yield* await encrypter.encrypt(streamOf(chunks))
}

/** Decrypts a stream piece by piece. Throws a LaunchError when the key is another one, or a byte was changed or is missing. */
export async function* decryptChunks(
  chunks: Bytes,
  key: string | undefined,
): AsyncGenerator<Uint8Array> {
  const decrypter = new Decrypter()
  decrypter.addIdentity(requireKey(key))
  try {
    yield* await decrypter.decrypt(streamOf(chunks))
  } catch (error) {
    throw new LaunchError(
      'The backup cannot be decrypted: BACKUP_KEY is a different key, or the file is damaged.',
      { cause: error },
    )
  }
}

function streamOf(chunks: Bytes) {
  const iterator = chunks[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
}

/** A key as `newBackupKey` makes it. Throws a LaunchError otherwise. */
export function requireKey(key = ''): string {
  if (/^AGE-SECRET-KEY-1[0-9A-Z]{58}$/.test(key)) return key
  throw new LaunchError('BACKUP_KEY is missing or unusable. npm run ops -- backup-key makes one.')
}
