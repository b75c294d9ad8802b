/**
 * Returns the failure text of the route to which a form posts. The program sets this function at startup, when its
 * routes are complete.
 */
export const failureTexts: { of: (path: string) => string | undefined } = { of: () => undefined }

/** Attribute with the text that the scripts show when a form's request gets no response. */
export const failureAttribute = (action: string) => ({ 'data-failed': failureTexts.of(action.split('?')[0] ?? action) })
