import type { Filter } from '../ui/list'

export const statusFilter: Filter = {
  name: 'is_active',
  label: 'Status',
  any: 'All statuses',
  options: [
    { value: 'true', label: 'Active' },
    { value: 'false', label: 'Inactive' },
  ],
}
