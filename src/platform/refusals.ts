export type FieldError = { field: string; message: string }

/**
 * Error codes of the API, by HTTP status. Some errors have their own code, such as `stale`, because clients must
 * distinguish them from other errors with the same status.
 */
export const CODES = {
  400: 'malformed_request',
  401: 'signed_out',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  413: 'too_large',
  415: 'unsupported_media_type',
  422: 'invalid',
  429: 'rate_limited',
  500: 'internal_error',
  503: 'unavailable',
  507: 'disk_full',
} as const
const OWN_CODES = [
  'stale',
  'password_change_required',
  'second_factor_required',
  'request_under_way',
  'key_reused',
] as const
export const FAILURE_CODES = [...Object.values(CODES), ...OWN_CODES]
export type FailureCode = (typeof FAILURE_CODES)[number]
export const INTERNAL_ERROR = CODES[500]

/**
 * An expected error, such as invalid input. Its message is shown to the user.
 * Rules and queries throw refusals. A refusal becomes an error page or an API response, and is not logged as a fault.
 */
export class Refusal extends Error {
  constructor(
    readonly status: Exclude<keyof typeof CODES, 500>,
    message: string,
    readonly errors?: FieldError[],
  ) {
    super(message)
  }

  /** Stable code for clients, because the message may change. */
  get code(): FailureCode {
    return CODES[this.status]
  }
}

/** 422: the input is invalid. Every error names its field. */
export class Refused extends Refusal {
  constructor(errors: FieldError[], message = errors[0]?.message ?? 'Please check what you entered') {
    super(422, message, errors)
  }

  static field(field: string, message: string) {
    return new Refused([{ field, message }])
  }
}

export class Missing extends Refusal {
  constructor(what = 'Record') {
    super(404, `${what} not found`)
  }
}

/** 409: the request conflicts with stored data. For example, a record to delete is in use, or a name is taken. */
export class Conflict extends Refusal {
  constructor(message: string, errors?: FieldError[]) {
    super(409, message, errors)
  }
}

/** 409: the record was changed since the client read it. `current` is the stored record. */
export class Stale extends Conflict {
  /** The stored record in API format. Set only if clients cannot read the record with a GET request. */
  shown?: unknown

  constructor(readonly current: Record<string, unknown>) {
    super('This record has changed since you opened it')
  }

  override get code() {
    return 'stale' as const
  }
}

/**
 * Returns an error handler that adds the stored record to `Stale`.
 * Use the handler for records without a GET route, such as invoice lines. Records with a GET route do not need it,
 * because the API loads the stored record itself when it sends the error.
 * @param show returns the record as the API shows it
 */
export const showingStored =
  <Stored extends object>(show: (stored: Stored) => unknown = (stored) => stored) =>
  async (error: unknown): Promise<never> => {
    if (error instanceof Stale) error.shown = await show(error.current as Stored)
    throw error
  }

/** 409: the first request with the same idempotency key still runs. `retryAfter` is in seconds. */
export class UnderWay extends Conflict {
  readonly retryAfter = 1
  constructor() {
    super('The first request with this Idempotency-Key is still in progress')
  }

  override get code() {
    return 'request_under_way' as const
  }
}

export class KeyReused extends Refused {
  constructor() {
    super([
      {
        field: 'Idempotency-Key',
        message: 'This idempotency key was already used for a different request. Send a new key.',
      },
    ])
  }

  override get code() {
    return 'key_reused' as const
  }
}

/**
 * 401: the session is missing, ended or expired.
 * `held` is the encrypted form that the user submitted, so that it can be submitted again after sign-in.
 */
export class SignedOut extends Refusal {
  constructor(readonly held?: string) {
    super(401, 'Please sign in')
  }
}

export class Forbidden extends Refusal {
  constructor(message = 'You do not have permission to access this page.') {
    super(403, message)
  }
}

export const costsHidden = () => new Forbidden('Only administrators can see costs')

export class PasswordChangeDue extends Forbidden {
  constructor() {
    super('Please choose a new password first')
  }

  override get code() {
    return 'password_change_required' as const
  }
}

export class SecondFactorDue extends Forbidden {
  constructor() {
    super('Please set up two-factor authentication first')
  }

  override get code() {
    return 'second_factor_required' as const
  }
}

/** `retryAfter` is in seconds. */
export class RateLimited extends Refusal {
  constructor(readonly retryAfter: number) {
    super(429, 'Rate limit exceeded. Please try again later.')
  }
}

/**
 * Returns false if the record to delete no longer exists. For example, the user may have ended the same session in a
 * different browser.
 */
export const isDone = (ending: Promise<unknown>): Promise<boolean> =>
  ending.then(
    () => true,
    (error) => {
      if (error instanceof Missing) return false
      throw error
    },
  )
