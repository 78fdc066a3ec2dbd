import { expect, test, vi } from 'vitest'
import { startListener } from '#harness/listener.ts'
import { alertWebhookOf } from './post-to-webhook.ts'

test('without addresses there is nobody to tell', () => {
  expect(alertWebhookOf({ ALARM_WEBHOOK_URL: '', HEARTBEAT_URL: '' })).toEqual({
    post: null,
    heartbeat: null,
  })
})

test('a chat gets JSON that Slack and Discord read, cut to what Discord takes; a monitor gets a GET', async () => {
  const listener = await startListener()
  const alertWebhook = alertWebhookOf({
    ALARM_WEBHOOK_URL: listener.url,
    HEARTBEAT_URL: listener.url,
  })
  await alertWebhook.post?.('Sotto "raises"\nan alarm')
  await alertWebhook.post?.('x'.repeat(5_000))
  await alertWebhook.heartbeat?.()
  const [first, long, heartbeat] = listener.requests
  const text = 'Sotto "raises"\nan alarm'
  expect(first).toMatchObject({ method: 'POST', path: '/secret-path' })
  expect(JSON.parse(first?.body ?? '')).toEqual({ text, content: text })
  expect(JSON.parse(long?.body ?? '').content).toHaveLength(1_900)
  expect(heartbeat).toEqual({ method: 'GET', path: '/secret-path', body: '' })
})

test.each([302, 404, 429, 500])('an answer of %d counts as not taken', async (status) => {
  const listener = await startListener()
  listener.answers(status)
  const { post, heartbeat } = alertWebhookOf({
    ALARM_WEBHOOK_URL: listener.url,
    HEARTBEAT_URL: listener.url,
  })
  await expect(post?.('x')).rejects.toThrow(`status ${status}`)
  await expect(heartbeat?.()).rejects.toThrow(`status ${status}`)
  expect(listener.requests.map(({ path }) => path)).toEqual(['/secret-path', '/secret-path'])
})

test('a call to a server that never answers or does not exist fails, and the error does not name its address', async () => {
  const listener = await startListener()
  listener.answers(null)
  const quick = AbortSignal.timeout(50)
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(quick)
  const { post } = alertWebhookOf({ ALARM_WEBHOOK_URL: listener.url, HEARTBEAT_URL: '' })
  await expect(post?.('x')).rejects.toThrow(/^TimeoutError$/)
  expect(timeout).toHaveBeenCalledWith(10_000)
  const gone = alertWebhookOf({ ALARM_WEBHOOK_URL: 'http://127.0.0.1:9/secret', HEARTBEAT_URL: '' })
  await expect(gone.post?.('x')).rejects.toThrow(/^(TypeError|TimeoutError)$/)
})
