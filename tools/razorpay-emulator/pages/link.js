/** The page of a payment link: opens the checkout, and goes to the merchant's callback once the link is paid. */
const button = document.getElementById('pay')
const { key, order, merchant } = button.dataset

function finish({ razorpay_payment_id }) {
  location.assign(`${location.pathname}/done?payment_id=${encodeURIComponent(razorpay_payment_id)}`)
}

button.addEventListener('click', () => {
  const options = { key, order_id: order, name: merchant, handler: finish }
  const checkout = new window.Razorpay(options)
  checkout.on('payment.failed', ({ error }) => {
    document.getElementById('notice').textContent = error.description
  })
  checkout.open()
})
// A press before this would be lost.
button.disabled = false
