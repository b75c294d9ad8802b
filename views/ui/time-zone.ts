import { createContext } from 'react'

/** The business time zone, used for every time on a page. */
export const TimeZone = createContext('UTC')
