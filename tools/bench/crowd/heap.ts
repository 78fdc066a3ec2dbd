import { once } from 'node:events'
import { z } from 'zod'

const Targets = z.array(z.object({ id: z.string(), webSocketDebuggerUrl: z.string() }))
const Reply = z.object({ id: z.number(), result: z.object({ usedSize: z.number().optional() }) })

/**
 * What our Worker's isolate holds after V8 has collected what nobody needs, in MB. workerd's own memory says less: here it
 * holds the isolates of the local runtime too, and grows as much by static files, for which our Worker does not run.
 */
export async function heapOf(inspectorPort: number): Promise<number> {
  const list = await fetch(`http://127.0.0.1:${inspectorPort}/json`)
  const worker = Targets.parse(await list.json()).find(({ id }) => id.startsWith('core:user:'))
  if (worker === undefined) throw new Error('The inspector does not know our Worker')
  const socket = new WebSocket(worker.webSocketDebuggerUrl)
  await once(socket, 'open')
  let count = 0
  const ask = async (method: string) => {
    const id = (count += 1)
    const reply = new Promise<number>((resolve) => {
      socket.addEventListener('message', ({ data }) => {
        const parsed = Reply.safeParse(JSON.parse(String(data)))
        if (parsed.data?.id === id) resolve(parsed.data.result.usedSize ?? 0)
      })
    })
    socket.send(JSON.stringify({ id, method }))
    return reply
  }
  await ask('HeapProfiler.collectGarbage')
  const bytes = await ask('Runtime.getHeapUsage')
  socket.close()
  return bytes / 1_048_576
}
