/** Number of rows of a list before a page. For `gone`, see `listQuery`. */
export const rowsBefore = ({
  page,
  per_page,
  gone = 0,
}: {
  page: number
  per_page: number
  gone?: number | undefined
}) => Math.max((page - 1) * per_page - gone, 0)
