/** Marks the download that fits this machine: `data-system="mac|windows"` gets `data-own`. */
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
