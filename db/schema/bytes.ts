import { customType } from 'drizzle-orm/pg-core'

/** Column type for binary data, such as the content of a file. */
export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' })
