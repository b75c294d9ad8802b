import { LocationForm } from '../../../../views/places/locations/form'
import { LocationListRow, LocationsPage } from '../../../../views/places/locations/index-page'
import { locationLabel } from '../../../../views/places/options'
import type { AppContext } from '../../../platform/context'
import { paths } from '../../../platform/paths'
import { masterPages } from '../master-data-pages'
import { locationColumns } from './import'
import { locationQueries } from './queries'
import { location, locationFilters } from './rules'

export const locationsPages = (ctx: AppContext) =>
  masterPages(ctx, {
    queries: locationQueries,
    rules: location,
    filters: locationFilters,
    noun: 'Location',
    many: 'locations',
    title: 'Manage Locations',
    nameOf: locationLabel,
    paths: paths.locations,
    defaults: { location_type: 'Hub', is_active: true },
    columns: locationColumns,
    carriedFields: ['location_type'],
    Index: LocationsPage,
    Row: LocationListRow,
    Form: LocationForm,
  })
