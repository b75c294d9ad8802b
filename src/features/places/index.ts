export { locationQueries } from './locations/queries'
export { companiesLike, isName, locationsLike, placesLike } from './sql'
export { transportCompanyQueries } from './transport-companies/queries'
export { vendorQueries } from './vendors/queries'
