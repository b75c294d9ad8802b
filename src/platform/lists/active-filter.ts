import { z } from 'zod'

const blankToMissing = (value: unknown) => (value === '' || value === null ? undefined : value)
const asBoolean = (value: unknown) => (value === 'true' ? true : value === 'false' ? false : blankToMissing(value))

/** List filter `is_active`, which is true or false. A blank value selects both active and inactive records. */
export const activeFilter = z.preprocess(asBoolean, z.boolean({ error: 'Must be true or false' }).optional())
