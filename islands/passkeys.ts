import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import { call } from './call'

function showMessage(form: HTMLFormElement, text: string) {
  const message = form.querySelector<HTMLElement>('[data-passkey-message]')
  if (!message) return
  message.hidden = false
  message.textContent = text
}

function signInWith(button: HTMLButtonElement, form: HTMLFormElement) {
  const field = form.querySelector<HTMLInputElement>('input[name=passkey]')
  button.hidden = !browserSupportsWebAuthn()
  button.disabled = false
  button.addEventListener('click', async () => {
    const optionsJSON: PublicKeyCredentialRequestOptionsJSON = JSON.parse(button.dataset.options ?? '')
    const answer = await startAuthentication({ optionsJSON }).catch(() => null)
    if (!answer || !field) return showMessage(form, 'The passkey was not used. Try again, or enter a code.')
    field.value = JSON.stringify(answer)
    form.requestSubmit()
  })
}

type Setup = { options: PublicKeyCredentialCreationOptionsJSON; ticket: string }
const NOT_ADDED = 'The passkey was not added'
const PATH = '/api/auth/passkeys'

/**
 * Creates a passkey in the browser and adds it to the account. If the user must first enter the password again, opens
 * the page with the URL `confirmation`.
 * @returns null if the passkey was added, otherwise a message for the user
 */
async function addPasskey(name: string, confirmation: string): Promise<string | null> {
  const setup = await call<Setup>(`${PATH}/options`, { method: 'POST', body: {} })
  if (setup.status === 422) location.assign(confirmation)
  if (!setup.data) return setup.message || NOT_ADDED
  const credential = await startRegistration({ optionsJSON: setup.data.options }).catch(() => null)
  if (!credential) return `${NOT_ADDED}. The browser or the device refused or cancelled it. Try again.`
  const added = await call(PATH, { method: 'POST', body: { ticket: setup.data.ticket, name, credential } })
  return added.ok ? null : added.message || NOT_ADDED
}

function addWith(form: HTMLFormElement) {
  form.hidden = !browserSupportsWebAuthn()
  // The page disables the buttons until this script has loaded, because the browser would send the form without a
  // passkey.
  for (const button of form.querySelectorAll('button')) button.disabled = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    event.stopImmediatePropagation()
    const name = form.querySelector<HTMLInputElement>('[name=name]')?.value.trim() ?? ''
    const refusal = await addPasskey(name, form.dataset.passkey ?? '')
    if (refusal === null) location.reload()
    else showMessage(form, refusal)
  })
}

const part = document.querySelector('[data-passkey]')
if (part instanceof HTMLFormElement) addWith(part)
else if (part instanceof HTMLButtonElement && part.form) signInWith(part, part.form)
