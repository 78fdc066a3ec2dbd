import { expect, test } from 'vitest'
import { isInAppBrowser } from './in-app-browser.ts'

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15'
const ANDROID = 'Mozilla/5.0 (Linux; Android 16; Pixel 9'
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/143.0.0.0 Mobile'

test.each([
  `${IPHONE} (KHTML, like Gecko) Mobile/15E148 Instagram 401.0.0.21 (iPhone17,1; iOS 19_1)`,
  `${IPHONE} (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS;FBAV/530.0.0.35]`,
  `${IPHONE} (KHTML, like Gecko) Mobile/15E148`,
  `${IPHONE} (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1 [LinkedInApp]/9.31`,
  `${ANDROID} Build/BP1A; wv) ${CHROME} Safari/537.36`,
  `${ANDROID}) ${CHROME} Safari/537.36 Instagram 401.0.0.21 Android`,
  `${ANDROID}) ${CHROME} Safari/537.36 [FB_IAB/FB4A;FBAV/530.0.0.35;]`,
  'Mozilla/5.0 (Linux; U; Android 15; en-US) AppleWebKit/537.36 UCBrowser/13.7 Mobile Safari/537.36',
  'Opera/9.80 (Android; Opera Mini/85.0/191.300; U; en) Presto/2.12.423 Version/12.16',
])('the widget cannot call back in %s', (userAgent) => {
  expect(isInAppBrowser(userAgent)).toBe(true)
})

test.each([
  `${IPHONE} (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1`,
  `${IPHONE} (KHTML, like Gecko) CriOS/143.0 Mobile/15E148 Safari/604.1`,
  `${ANDROID}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Mobile Safari/537.36`,
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/19.1 Safari/605.1.15',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/143.0.0.0 Safari/537.36 OPR/120.0',
  'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  '',
])('the widget calls the page back in %s', (userAgent) => {
  expect(isInAppBrowser(userAgent)).toBe(false)
})
