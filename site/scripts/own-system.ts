/** Marks the download for the visitor's system: sets `data-own` on `data-system="mac"` or `"windows"`. */
const { userAgent } = navigator
const isPhone = /Android|iPhone|iPad|Mobile/.test(userAgent)
const own = isPhone
  ? ''
  : userAgent.includes('Mac')
    ? 'mac'
    : userAgent.includes('Windows')
      ? 'windows'
      : ''
if (own !== '') document.querySelector(`[data-system='${own}']`)?.toggleAttribute('data-own', true)
