import { areCostsSeen } from '../costs'
import { Input, type InputProps } from './fields'

/** Input for an amount in dollars. Users who cannot see costs can enter a new amount without seeing the stored one. */
export const MoneyInput = ({ form, hint, ...props }: InputProps) => {
  const isHidden = !areCostsSeen()
  const isStored = form.values.version !== undefined
  return (
    <Input
      inputMode="decimal"
      placeholder="0.00"
      {...props}
      form={isHidden && !form.refusal ? { ...form, values: {} } : form}
      hint={
        isHidden
          ? `Only administrators can see this amount${isStored ? '; leave blank to keep the stored amount' : ''}`
          : hint
      }
    />
  )
}
