/** Marks automatic requests, such as polling by a page. Automatic requests do not extend the session. */
export const BACKGROUND_HEADER = 'x-background'
