/** The page of a payment link: opens the same checkout and goes to the merchant's callback once paid. */
const { dataset } = document.getElementById('link')
const notice = document.getElementById('notice')

function goOn({ razorpay_payment_id }) {
  location.assign(`${location.pathname}/done?payment_id=${encodeURIComponent(razorpay_payment_id)}`)
}

document.getElementById('pay').addEventListener('click', () => {
  const { key, order, merchant, email, contact } = dataset
  const prefill = { email: email || undefined, contact: contact || undefined }
  const checkout = new window.Razorpay({
    key,
    order_id: order,
    name: merchant,
    prefill,
    handler: goOn,
  })
  checkout.on('payment.failed', ({ error }) => {
    notice.textContent = error.description
  })
  checkout.open()
})
