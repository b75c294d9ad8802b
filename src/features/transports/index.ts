/** What other features and the program may use of it. */
export { transportBulk } from './bulk'
export { countActiveTransports, recentTransports, transportsOfVehicle } from './queries'
export { arrivedOnTime, isDelivered, isLate, isSale, isUnderWay, lacksCost, lacksPo } from './sql'
