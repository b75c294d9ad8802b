import type { Filter } from '../ui/toolbar'

export const statusFilter: Filter = {
  name: 'is_active',
  label: 'Status',
  any: 'All statuses',
  options: [
    { value: 'true', label: 'Active' },
    { value: 'false', label: 'Inactive' },
  ],
}
