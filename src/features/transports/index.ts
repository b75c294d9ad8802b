export { countActiveTransports, latestTransports, recentTransports } from './queries'
export { arrivedOnTime, isDelivered } from './sql'
