/** Returns the failure text of the route that a path posts to. The program sets it once its routes are complete. */
export const failureTexts: { of: (path: string) => string | undefined } = { of: () => undefined }

/** Attribute with which the scripts report that a form's request got no answer. */
export const failureAttribute = (action: string) => ({ 'data-failed': failureTexts.of(action.split('?')[0] ?? action) })
