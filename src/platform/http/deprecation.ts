/** Information about an API call that a later version removes. Dates are `YYYY-MM-DD`. */
export type Deprecation = { since: string; removal: string; replacement: string }

/** Response headers of a deprecated call. RFC 9745 and RFC 8594 define these headers. */
export const deprecationHeaders = ({ since, removal }: Deprecation) => ({
  deprecation: `@${Date.parse(since) / 1000}`,
  sunset: new Date(removal).toUTCString(),
})

export const deprecationText = ({ removal, replacement }: Deprecation) =>
  `Deprecated: this call will be removed on ${removal} or later. Use \`${replacement}\` instead.`
