import { TIMES } from '../calendar'
import { BULK_STEPS } from './bulk'
import { CRASH_STEPS } from './crashes'
import { CURSOR_STEPS } from './cursor'
import { IMPORT_STEPS } from './imports'
import { INVOICE_STEPS } from './invoices'
import { OSL_STEPS } from './osl'
import { PLACE_STEPS } from './places'
import { RECORD_STEPS } from './records'
import { REGISTRATION_STEPS } from './registrations'
import type { Step } from './step'
import { TITLE_STEPS } from './titles'
import { TRANSPORT_STEPS } from './transports'
import { VEHICLE_STEPS } from './vehicles'

/** Ends the day. The program is compared with the model before this step. */
export const NEXT_DAY: Step = (driver, choices) =>
  driver.advance(choices.isTrue(15) ? 7 : 1 + choices.number(2), choices.of(TIMES) as string)

const laterToday: Step = (driver, choices) => driver.advance(0, choices.of(TIMES) as string)

/** All steps with their weights. */
const WEIGHTED: [number, Step][] = [
  ...TRANSPORT_STEPS,
  ...OSL_STEPS,
  ...REGISTRATION_STEPS,
  ...TITLE_STEPS,
  ...RECORD_STEPS,
  ...BULK_STEPS,
  ...IMPORT_STEPS,
  ...PLACE_STEPS,
  ...INVOICE_STEPS,
  ...VEHICLE_STEPS,
  ...CURSOR_STEPS,
  ...CRASH_STEPS,
  [2, laterToday],
  [9, NEXT_DAY],
]
export const STEPS: Step[] = WEIGHTED.flatMap(([weight, step]) => Array.from({ length: weight }, () => step))
