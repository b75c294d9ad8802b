import { make } from './make'

const EMPTY = 'Please enter username and password'
const UNREACHABLE = 'An error occurred. Please try again.'
const TIMEOUT_MS = 10_000

function showBanner(form: HTMLFormElement, text: string) {
  form.querySelector('.banner')?.remove()
  const banner = make('p', { className: 'banner banner-danger', role: 'alert' }, text)
  banner.dataset.clearOnInput = ''
  form.querySelector('.login-brand')?.after(banner)
}

const CHECK_EVERY_MS = 1000

/**
 * Checks the sign-in form before the browser sends it.
 * If the server is unreachable, the page shows a message instead of the browser's error page. The connection is checked
 * while the user types the password, because a check after the click would delay the sign-in.
 */
export function checkLogin() {
  const form = document.querySelector<HTMLFormElement>('.login-card')
  if (!form) return
  let isAway = false
  let checkedAt = Number.NEGATIVE_INFINITY
  const check = () =>
    fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) }).then(
      () => {
        isAway = false
      },
      () => {
        isAway = true
      },
    )
  form.addEventListener('input', ({ target, timeStamp }) => {
    const isPassword = target instanceof HTMLInputElement && target.type === 'password'
    if (!isPassword || (timeStamp - checkedAt < CHECK_EVERY_MS && !isAway)) return
    checkedAt = timeStamp
    void check()
  })
  form.addEventListener(
    'submit',
    (event) => {
      const fields = ['username', 'password'].map((name) => form.querySelector<HTMLInputElement>(`input[name=${name}]`))
      const empty = fields.find((field) => field?.value.trim() === '')
      if (!empty && !isAway) return
      event.preventDefault()
      event.stopImmediatePropagation()
      if (empty) {
        showBanner(form, EMPTY)
        return empty.focus()
      }
      void check().then(() => (isAway ? showBanner(form, UNREACHABLE) : form.requestSubmit()))
    },
    { capture: true },
  )
}
