import { PRODUCT } from '../../db/vocabulary'
import { paths } from '../../src/platform/paths'
import { Mark } from '../ui/icons'
import { Loading } from '../ui/loading'

type Props = {
  next: string
  heldForm: string
  /**
   * True if a change was lost because the session had ended. False if the change is in `heldForm`, because the user can
   * then send it after sign-in.
   */
  isUnsaved: boolean
  username: string
  message: string | null
  /**
   * Encrypted proof that the user has already entered the password. The form sends it together with the code of the
   * second factor, so that the user does not have to enter the password again.
   */
  ticket?: string | undefined
  /** Options with which the browser asks for a passkey. Null or undefined if the account has none. */
  passkey?: object | null | undefined
  /** Undefined if no sign-in provider is configured. */
  singleSignOn?: string | undefined
  /** True if the message asks for input. False if it reports an error. */
  isPrompt?: boolean
}

export function LoginPage({ next, username, message, ticket, passkey, isPrompt, ...props }: Props) {
  const { heldForm, isUnsaved, singleSignOn } = props
  return (
    <main className="login">
      <form
        className="login-card"
        method="post"
        action={paths.login}
        data-busy="Logging in..."
        data-busy-locks=""
        noValidate
      >
        <div className="login-brand">
          <Mark />
          <h1>{PRODUCT.name}</h1>
          <p>{PRODUCT.subtitle}</p>
        </div>
        {message && (
          <p className={isPrompt ? 'hint' : 'banner banner-danger'} role="alert" data-clear-on-input="">
            {message}
          </p>
        )}
        {next && !message && <p className="hint">{reasonToSignIn({ heldForm, isUnsaved, singleSignOn })}</p>}
        <input type="hidden" name="next" value={next} />
        {heldForm && <input type="hidden" name="held" value={heldForm} />}
        {ticket ? <CodeField ticket={ticket} /> : <Credentials username={username} />}
        <button type="submit" className="button button-primary button-wide">
          Login
        </button>
        {passkey && (
          <>
            <input type="hidden" name="passkey" value="" />
            <button
              type="button"
              disabled
              className="button button-wide with-script"
              data-passkey=""
              data-options={JSON.stringify(passkey)}
            >
              Use a passkey
            </button>
            <p className="banner banner-danger" role="alert" data-passkey-message="" hidden />
          </>
        )}
        {singleSignOn && !ticket && (
          <a className="button button-wide" href={singleSignOn}>
            Sign in with single sign-on
          </a>
        )}
      </form>
      <footer className="login-footer">Version {PRODUCT.version}</footer>
      <Loading />
    </main>
  )
}

function reasonToSignIn({ heldForm, isUnsaved, singleSignOn }: Pick<Props, 'heldForm' | 'isUnsaved' | 'singleSignOn'>) {
  if (isUnsaved) return 'You were signed out, so your change was not saved. Sign in and try again.'
  if (!heldForm) return 'Sign in to continue where you left off.'
  const text = 'Your session expired. Sign in again to send the form that you filled in.'
  return singleSignOn ? `${text} If you use single sign-on, the form opens again after the sign-in.` : text
}

const CodeField = ({ ticket }: { ticket: string }) => (
  <>
    <input type="hidden" name="ticket" value={ticket} />
    <div className="field">
      <label htmlFor="code">Code</label>
      <input
        id="code"
        name="code"
        autoComplete="one-time-code"
        inputMode="text"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={40}
        aria-describedby="code-hint"
        autoFocus
      />
      <p className="hint" id="code-hint">
        The six digits from your authenticator app, or a recovery code
      </p>
    </div>
  </>
)

const Credentials = ({ username }: { username: string }) => (
  <>
    <div className="field">
      <label htmlFor="username">Username</label>
      <input
        id="username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={username}
        autoFocus={!username}
      />
    </div>
    <div className="field">
      <label htmlFor="password">Password</label>
      <input
        id="password"
        name="password"
        type="password"
        autoComplete="current-password"
        autoFocus={username !== ''}
      />
    </div>
  </>
)
