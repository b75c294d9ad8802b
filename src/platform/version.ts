import { PRODUCT } from '../../db/vocabulary'

/** Commit that the program was built from, seven digits. Empty if the program runs from source. */
export const COMMIT = process.env.YARDMASTER_COMMIT ?? ''

export const VERSION_TEXT: string = COMMIT ? `${PRODUCT.version} (${COMMIT})` : PRODUCT.version
