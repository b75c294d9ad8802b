import { createContext } from 'react'

/** The business time zone, in which every instant on a page is told. */
export const TimeZone = createContext('UTC')
