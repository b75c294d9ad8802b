import { Input } from './fields'
import type { FormState } from './form-state'

export const CurrentPassword = ({ form }: { form: FormState }) => (
  <Input
    form={form}
    name="current_password"
    label="Your current password"
    type="password"
    required
    autoComplete="current-password"
  />
)
