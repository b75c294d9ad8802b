/** What other features and the program may use of it. */
export { countActiveTransports, recentTransports, transportsOfVehicle } from './queries'
export { arrivedOnTime, isDelivered } from './sql'
