/** Header of requests that a page makes without an action of its user. They do not extend the session. */
export const BACKGROUND_HEADER = 'x-background'
