import type { Choices } from '../choices'
import type { Driver } from '../driver'
import { addDays, type FleetRecord } from '../model/records'

/** A step sends calls to the program and applies the same change to the model. */
export type Step = (driver: Driver, choices: Choices) => Promise<unknown>

const UNITS = Array.from({ length: 15 }, (_, at) => String(100_700 + at))
export const unitOf = (choices: Choices) => choices.of(UNITS) as string
export const placeOf = ({ fleet }: Driver, choices: Choices) => choices.of(fleet.places)?.id as number
export const dayNear = ({ fleet }: Driver, choices: Choices, before: number, after: number) =>
  addDays(fleet.today, choices.number(before + after + 1) - before)
export const centsOf = (choices: Choices) => choices.number(100_000)
export const path = ({ kind, id }: Pick<FleetRecord, 'kind' | 'id'>) => `/${kind}/${id}`
