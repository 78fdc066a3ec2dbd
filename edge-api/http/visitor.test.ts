import { expect, test } from 'vitest'
import { visitorOf } from './visitor.ts'

const from = (headers: Record<string, string>) =>
  visitorOf(new Request('https://sotto.example/api/auth/me', { headers }), 'Sotto')

test('X-Forwarded-For and similar headers are ignored', () => {
  const { ipAddress } = from({
    'cf-connecting-ip': '203.0.113.9',
    'x-forwarded-for': '198.51.100.1',
    'x-real-ip': '198.51.100.2',
    forwarded: 'for=198.51.100.3',
    'true-client-ip': '198.51.100.4',
  })
  expect(ipAddress).toBe('203.0.113.9')
})

test('visitors without an address share one rate limit', () => {
  expect(from({}).ipAddress).toBe('unknown')
  expect(from({ 'x-forwarded-for': '198.51.100.1' }).ipAddress).toBe('unknown')
  expect(from({ 'cf-connecting-ip': 'not an address' }).ipAddress).toBe('unknown')
  expect(from({ 'cf-connecting-ip': '1.2.3.4, 5.6.7.8' }).ipAddress).toBe('unknown')
})

test('all addresses in one IPv6 /64 are one visitor, in any notation', () => {
  const one = from({ 'cf-connecting-ip': '2001:db8:1:2:aaaa:bbbb:cccc:dddd' }).ipAddress
  expect(one).toBe('2001:db8:1:2::/64')
  expect(from({ 'cf-connecting-ip': '2001:DB8:0001:0002::1' }).ipAddress).toBe(one)
  expect(from({ 'cf-connecting-ip': '2001:db8:1:3::1' }).ipAddress).not.toBe(one)
  expect(from({ 'cf-connecting-ip': '::1' }).ipAddress).toBe('0:0:0:0::/64')
})

test("only the address's network is kept", () => {
  expect(from({ 'cf-connecting-ip': '203.0.113.9' }).ipPrefix).toBe('203.0.113.0/24')
  expect(from({ 'cf-connecting-ip': '2001:db8:1:2::1' }).ipPrefix).toBe('2001:db8:1::/48')
})

test('the country is what Cloudflare says, and left out when it does not know it', () => {
  expect(from({ 'cf-ipcountry': 'IN' }).country).toBe('IN')
  expect(from({ 'cf-ipcountry': 'DE', 'cf-connecting-ip': '::1' }).country).toBe('DE')
  for (const unknown of ['XX', 'T1', 'India', ''])
    expect(from({ 'cf-ipcountry': unknown }), unknown).not.toHaveProperty('country')
})

test.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'Firefox on Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15',
    'Safari on macOS',
  ],
  ['Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge on Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36 OPR/124.0', 'Opera on Linux'],
  ['Mozilla/5.0 (Linux; Android 10; K) Chrome/140.0 Safari/537.36', 'Chrome on Android'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/18.6 Safari/604.1',
    'Safari on iPhone',
  ],
  ['Mozilla/5.0 (iPhone) CriOS/140.0 Mobile/15E148 Safari/604.1', 'Chrome on iPhone'],
  ['Mozilla/5.0 (iPad) FxiOS/140.0 Mobile/15E148 Safari/605.1.15', 'Firefox on iPad'],
  ['Mozilla/5.0 (iPhone) Version/18.0 Safari/604.1 OPT/5.6', 'Opera on iPhone'],
  ['Mozilla/5.0 (iPhone) EdgiOS/140.0 Version/18.0 Safari/604.1', 'Edge on iPhone'],
  ['Sotto Desktop/1.4.2 (Windows NT 10.0)', 'Sotto Desktop on Windows'],
  ['Sotto Support your account is hacked call 0800 123456/1.0 (Windows NT 10.0)', 'Windows'],
  ['Sotto Desktop call 0800 123456/1.0', 'Unknown device'],
  ['curl/8.0', 'Unknown device'],
  ['', 'Unknown device'],
])('%s is shown as "%s"', (userAgent, device) => {
  expect(from({ 'user-agent': userAgent }).device).toBe(device)
})
