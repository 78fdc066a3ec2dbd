import { createWriteStream, openAsBlob } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AwsClient } from 'aws4fetch'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'

/** Where backups are kept, and the key of the store that may list, read, write and delete there. */
interface StoreAddress {
  /** `https://`, the store's host, the bucket, and a folder in it if you like. */
  url: string
  accessKeyId: string
  secretAccessKey: string
  /** Left out where the host names the region, or where it does not matter. */
  region?: string
}

/** A folder in a bucket of any store that speaks S3. Every call throws a LaunchError with the store's reason. */
export function backupStore({ url, ...keys }: StoreAddress) {
  const { origin, pathname } = new URL(url)
  const [, bucket = '', ...folders] = pathname.replace(/\/$/, '').split('/')
  const folder = folders.map((part) => `${part}/`).join('')
  const client = new AwsClient({ ...keys, service: 's3', retries: 5 })
  const ask = async (method: string, path: string, body: Blob | null = null) => {
    const answer = await client
      .fetch(`${origin}/${bucket}${path}`, { method, body })
      .catch((error: unknown) => {
        throw new LaunchError(`No store answers at ${origin}.`, { cause: error })
      })
    if (answer.ok) return answer
    const [, reason = ''] = /<Code>(\w+)</.exec(await answer.text()) ?? []
    throw new LaunchError(`The store refused ${method} ${path}: HTTP ${answer.status} ${reason}`)
  }
  return {
    names: async (): Promise<string[]> => {
      const answer = await ask('GET', `?list-type=2&prefix=${encodeURIComponent(folder)}`)
      const text = await answer.text()
      if (text.includes('<IsTruncated>true')) {
        throw new LaunchError(
          'More than 1,000 files are beside the backups: use a folder of its own.',
        )
      }
      return [...text.matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key = '']) =>
        key.slice(folder.length),
      )
    },
    put: async (name: string, file: string): Promise<void> => {
      await ask('PUT', `/${folder}${name}`, await openAsBlob(file))
    },
    get: async (name: string, file: string): Promise<void> => {
      const { body } = await ask('GET', `/${folder}${name}`)
      await pipeline(Readable.from(body ?? []), createWriteStream(file, { mode: 0o600 }))
    },
    remove: async (name: string): Promise<void> => {
      await ask('DELETE', `/${folder}${name}`)
    },
  }
}
