import { paths } from '../../src/platform/paths'

/**
 * Banner above the form of a new record when there are no locations to choose from.
 * @param record the record with its article, such as `An OSL entry`
 */
export const MissingLocation = ({ record }: { record: string }) => (
  <p className="banner banner-warning">
    {record} needs a location. An administrator adds locations under <a href={paths.locations.list}>Manage Locations</a>
    .
  </p>
)
