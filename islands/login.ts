const EMPTY = 'Please enter username and password'
const UNREACHABLE = 'An error occurred. Please try again.'
const TIMEOUT_MS = 10_000

function showBanner(form: HTMLFormElement, text: string) {
  form.querySelector('.banner')?.remove()
  const banner = document.createElement('p')
  banner.className = 'banner banner-danger'
  banner.role = 'alert'
  banner.dataset.clearOnInput = ''
  banner.textContent = text
  form.querySelector('.login-brand')?.after(banner)
}

/**
 * Checks the sign-in form before it is sent: empty fields make no request, and an unreachable server shows a message
 * instead of the browser's error page.
 */
export function checkLogin() {
  const form = document.querySelector<HTMLFormElement>('.login-card')
  let isChecked = false
  form?.addEventListener(
    'submit',
    (event) => {
      if (isChecked) return
      event.preventDefault()
      event.stopImmediatePropagation()
      const fields = ['username', 'password'].map((name) => form.querySelector<HTMLInputElement>(`input[name=${name}]`))
      const empty = fields.find((field) => field?.value.trim() === '')
      if (empty) {
        showBanner(form, EMPTY)
        return empty.focus()
      }
      const check = fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) })
      void check.then(
        () => {
          isChecked = true
          form.requestSubmit()
        },
        () => showBanner(form, UNREACHABLE),
      )
    },
    { capture: true },
  )
  // After Back the form is checked again.
  window.addEventListener('pageshow', () => {
    isChecked = false
  })
}
