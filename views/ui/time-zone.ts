import { createContext } from 'react'

/** Time zone of the business. All times on a page are shown in this zone. */
export const TimeZone = createContext('UTC')
