/** One field of refused input and what is wrong with it, in words for the person who typed it. */
export type FieldError = { field: string; message: string }

/**
 * A polite no: expected, safe to show, never logged as a fault. Rules and queries throw it; each module turns it into
 * its own kind of answer.
 */
export class Refusal extends Error {
  constructor(
    readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 503 | 507,
    message: string,
    readonly errors?: FieldError[],
  ) {
    super(message)
  }
}

/** 422: the input cannot be accepted; every error names its field. */
export class Refused extends Refusal {
  constructor(errors: FieldError[], message = errors[0]?.message ?? 'Please check what you entered') {
    super(422, message, errors)
  }

  static field(field: string, message: string) {
    return new Refused([{ field, message }])
  }
}

/** 404: there is no such record. */
export class Missing extends Refusal {
  constructor(what = 'Record') {
    super(404, `${what} not found`)
  }
}

/** 409: the record is in use, or another one like it exists. */
export class Conflict extends Refusal {
  constructor(message: string, errors?: FieldError[]) {
    super(409, message, errors)
  }
}

/** 409: someone else changed the record since it was read. Carries what is stored now. */
export class Stale extends Conflict {
  constructor(readonly current: Record<string, unknown>) {
    super('Someone else changed this record since you opened it')
  }
}

/** 401: the sign-in is missing, ended or expired. `held` is the form that was sent with it, sealed. */
export class SignedOut extends Refusal {
  constructor(readonly held?: string) {
    super(401, 'Please sign in')
  }
}

/** 403: signed in, but not allowed. */
export class Forbidden extends Refusal {
  constructor(message = 'You do not have permission to access this page.') {
    super(403, message)
  }
}

/** 403: the account must choose a new password before anything else. */
export class PasswordChangeDue extends Forbidden {
  constructor() {
    super('Please choose a new password first')
  }
}

/** 429: too many tries; `retryAfter` is in seconds. */
export class RateLimited extends Refusal {
  constructor(readonly retryAfter: number) {
    super(429, 'Rate limit exceeded. Please try again later.')
  }
}

/** Was there still something to end? On another screen it may have been ended already. */
export const isDone = (ending: Promise<unknown>): Promise<boolean> =>
  ending.then(
    () => true,
    (error) => {
      if (error instanceof Missing) return false
      throw error
    },
  )
