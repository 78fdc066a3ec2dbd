/**
 * Stand-in for Razorpay's checkout script: same global, same options, same DOM, no real money. The browser loads this
 * file as it is.
 */
;(() => {
  const origin = new URL(document.currentScript.src).origin
  const topLayer = 2147483647
  let opened = null

  function isLoopback(url) {
    return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)
  }

  /** The colour scheme of the page, or of the visitor where the page sets none. */
  function readTheme() {
    const scheme = getComputedStyle(document.documentElement).colorScheme
    if (scheme === 'dark' || scheme === 'light') return scheme
    return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  }

  /** Calls every host that the real script needs, so that a gap in the page's policy shows here. */
  function touchHosts() {
    if (!document.querySelector(`script[src="${origin}/cdn/risk.js"]`)) {
      const script = document.createElement('script')
      script.src = `${origin}/cdn/risk.js`
      script.async = true
      document.head.append(script)
    }
    fetch(`${origin}/lumberjack`, { method: 'POST', mode: 'no-cors', body: 'open' }).catch(() => {})
  }

  function build(channel) {
    const container = document.createElement('div')
    container.className = 'razorpay-container'
    container.style.cssText = `position:fixed;inset:0;z-index:${topLayer}`
    const style = document.createElement('style')
    style.textContent = '@keyframes rzp-rot{to{transform:rotate(360deg)}}'
    const backdrop = document.createElement('div')
    backdrop.className = 'razorpay-backdrop'
    backdrop.style.cssText = 'position:fixed;inset:0;background:rgba(0,0,0,.6)'
    const frame = document.createElement('iframe')
    frame.className = 'razorpay-checkout-frame'
    frame.title = 'Checkout'
    frame.allow = 'payment'
    // A frame whose colour scheme differs from its element's is painted opaque.
    frame.style.cssText =
      'position:fixed;inset:0;width:100%;height:100%;border:0;background:transparent;color-scheme:light'
    const query = new URLSearchParams({ parent: location.origin, channel, theme: readTheme() })
    frame.src = `${origin}/checkout/frame?${query}`
    container.append(style, backdrop, frame)
    return { container, frame }
  }

  function postForm(action, fields) {
    const form = document.createElement('form')
    form.method = 'POST'
    form.action = action
    form.hidden = true
    for (const [name, value] of Object.entries(fields)) {
      const input = document.createElement('input')
      input.type = 'hidden'
      input.name = name
      input.value = value
      form.append(input)
    }
    document.body.append(form)
    form.submit()
  }

  function failureFields(error) {
    return {
      'error[code]': error.code,
      'error[description]': error.description,
      'error[source]': error.source,
      'error[step]': error.step,
      'error[reason]': error.reason,
      'error[metadata]': JSON.stringify(error.metadata),
    }
  }

  /** The options that can be posted to the frame: everything but functions. */
  function plain(options) {
    return JSON.parse(JSON.stringify(options))
  }

  class Razorpay {
    constructor(options) {
      if (options === null || typeof options !== 'object') throw new TypeError('Invalid options')
      if (!options.key) throw new Error('No key passed')
      if (!isLoopback(location.origin)) throw new Error('The emulated checkout opens only locally')
      this.options = options
      this.listeners = new Map()
      this.view = null
    }

    on(name, listener) {
      this.listeners.set(name, [...(this.listeners.get(name) ?? []), listener])
      return this
    }

    emit(name, detail) {
      for (const listener of this.listeners.get(name) ?? []) listener(detail)
    }

    open() {
      if (opened) return this
      const channel = crypto.randomUUID()
      const { container, frame } = build(channel)
      this.view = { container, frame, channel, before: document.activeElement }
      this.overflow = document.body.style.overflow
      document.body.style.overflow = 'hidden'
      document.body.append(container)
      opened = this
      this.onMessage = (event) => this.receive(event)
      this.onKey = (event) => event.key === 'Escape' && this.close()
      this.onFocus = (event) => !container.contains(event.target) && frame.focus()
      addEventListener('message', this.onMessage)
      addEventListener('keydown', this.onKey)
      addEventListener('focusin', this.onFocus)
      frame.addEventListener('load', () => frame.focus(), { once: true })
      touchHosts()
      return this
    }

    /** Removes the window and restores the page. Calls no callback. */
    remove() {
      if (!this.view) return
      removeEventListener('message', this.onMessage)
      removeEventListener('keydown', this.onKey)
      removeEventListener('focusin', this.onFocus)
      this.view.container.remove()
      document.body.style.overflow = this.overflow
      this.view.before?.focus?.()
      this.view = null
      opened = null
    }

    close() {
      if (!this.view) return
      this.remove()
      this.options.modal?.ondismiss?.()
    }

    send(message) {
      const { frame, channel } = this.view
      frame.contentWindow.postMessage({ ...message, channel }, origin)
    }

    receive(event) {
      if (!this.view || event.origin !== origin) return
      if (event.source !== this.view.frame.contentWindow) return
      const message = event.data
      if (message?.channel !== this.view.channel) return
      if (message.type === 'ready') this.send({ type: 'options', options: plain(this.options) })
      if (message.type === 'dismiss') this.close()
      if (message.type === 'vanish') this.remove()
      if (message.type === 'failed') this.fail(message.error)
      if (message.type === 'success') this.succeed(message)
    }

    fail(error) {
      const { callback_url: callback, redirect } = this.options
      if (callback && redirect) {
        this.remove()
        postForm(callback, failureFields(error))
        return
      }
      this.emit('payment.failed', { error })
    }

    /** Calls the handler after the message, as the real script does. */
    succeed({ triple }) {
      const { handler, callback_url: callback, redirect } = this.options
      this.remove()
      setTimeout(() => {
        if (callback && (redirect || !handler)) postForm(callback, triple)
        else handler?.({ ...triple })
      })
    }
  }

  function Checkout(options) {
    return new Razorpay(options)
  }
  Checkout.prototype = Razorpay.prototype
  Checkout.paymentMode = 'emulator'
  window.Razorpay = Checkout
})()
