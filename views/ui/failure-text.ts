import { failureTexts } from '../../src/platform/http/about'

/** Attribute with which the scripts report that a form's request got no answer. */
export const failureAttribute = (action: string) => ({ 'data-failed': failureTexts.of(action.split('?')[0] ?? action) })
