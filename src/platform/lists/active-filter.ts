import { z } from 'zod'

const blankToMissing = (value: unknown) => (value === '' || value === null ? undefined : value)
const asBoolean = (value: unknown) => (value === 'true' ? true : value === 'false' ? false : blankToMissing(value))

/** `is_active=true|false`; blank selects all. */
export const activeFilter = z.preprocess(asBoolean, z.boolean({ error: 'Must be true or false' }).optional())
