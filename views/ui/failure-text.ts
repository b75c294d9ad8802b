/**
 * Returns the message for a failed request to a URL path.
 * `of` is set at startup, when the program knows all its routes.
 */
export const failureTexts: { of: (path: string) => string | undefined } = { of: () => undefined }

/** Returns a form's HTML attribute with the message that the scripts show if the server does not respond. */
export const failureAttribute = (action: string) => ({ 'data-failed': failureTexts.of(action.split('?')[0] ?? action) })
