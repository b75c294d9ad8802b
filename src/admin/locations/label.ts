/** What a location is called where people choose among many: `Tempe (TMP)`. */
export const locationLabel = ({ location_name, location_code }: { location_name: string; location_code: string }) =>
  `${location_name} (${location_code})`
