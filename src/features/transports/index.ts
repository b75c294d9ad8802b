export { countActiveTransports, recentTransports, transportsOfVehicle } from './queries'
export { arrivedOnTime, isDelivered } from './sql'
