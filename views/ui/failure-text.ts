/**
 * Function that returns the text for a failed request, by the URL path of the request. The program sets the function
 * at startup, when it knows all its routes.
 */
export const failureTexts: { of: (path: string) => string | undefined } = { of: () => undefined }

/** HTML attribute of a form with the text that the scripts show if the server does not respond. */
export const failureAttribute = (action: string) => ({ 'data-failed': failureTexts.of(action.split('?')[0] ?? action) })
