import { PRODUCT } from '../../db/vocabulary'

/** Git commit from which the program was built, as seven digits. Empty if the program runs from source. */
export const COMMIT = process.env.YARDMASTER_COMMIT ?? ''

export const VERSION_TEXT: string = COMMIT ? `${PRODUCT.version} (${COMMIT})` : PRODUCT.version
