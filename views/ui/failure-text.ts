/**
 * Returns the failure message of a URL path. An example is `Failed to update location`.
 * The function `of` is set at startup, when all routes are known.
 */
export const failureTexts: { of: (path: string) => string | undefined } = { of: () => undefined }

/** Returns an HTML attribute with the failure message of a form. Scripts show it if the server does not respond. */
export const failureAttribute = (action: string) => ({ 'data-failed': failureTexts.of(action.split('?')[0] ?? action) })
