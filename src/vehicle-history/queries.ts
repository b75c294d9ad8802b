import type { Db } from '../../db/client'
import type { Clock } from '../clock'
import { oslOfVehicle } from '../osl/queries'
import { registrationsOfVehicle } from '../registrations/queries'
import { titlesOfVehicle } from '../titles/queries'
import { transportsOfVehicle } from '../transports/queries'
import { findVehicleByUnit } from '../vehicles/queries'

/** A vehicle with everything that is on record about it, newest first. @throws Missing */
export async function vehicleHistory(db: Db, clock: Clock, unit: string) {
  const vehicle = await findVehicleByUnit(db, unit)
  const [transports, osl_logs, registrations, titles] = await Promise.all([
    transportsOfVehicle(db, unit),
    oslOfVehicle(db, clock, unit),
    registrationsOfVehicle(db, clock, unit),
    titlesOfVehicle(db, clock, unit),
  ])
  return { vehicle, transports, osl_logs, registrations, titles }
}

export type VehicleHistory = Awaited<ReturnType<typeof vehicleHistory>>
