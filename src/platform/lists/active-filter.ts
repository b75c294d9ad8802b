import { z } from 'zod'

const blankToMissing = (value: unknown) => (value === '' || value === null ? undefined : value)
const asBoolean = (value: unknown) => (value === 'true' ? true : value === 'false' ? false : blankToMissing(value))

/** List filter for active or inactive records. A blank value selects both. */
export const activeFilter = z.preprocess(asBoolean, z.boolean({ error: 'Must be true or false' }).optional())
