import { paths } from '../../src/platform/paths'

/** @param record the record with its article, such as `An OSL entry` */
export const MissingLocation = ({ record }: { record: string }) => (
  <p className="banner banner-warning">
    {record} needs a location. An administrator adds locations under <a href={paths.locations.list}>Manage Locations</a>
    .
  </p>
)
