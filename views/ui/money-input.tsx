import { areCostsSeen } from '../costs'
import { Input, type InputProps } from './fields'

/** Input for an amount in dollars. Users who cannot see costs can enter a new amount without seeing the stored one. */
export const MoneyInput = ({ form, hint, ...props }: InputProps) => {
  const isHidden = !areCostsSeen()
  const isStored = form.values.version !== undefined
  const value = form.values[props.name]
  // The user's own input is text, and is shown as it was typed.
  const shown =
    typeof value === 'number' ? { ...form, values: { ...form.values, [props.name]: value.toFixed(2) } } : form
  return (
    <Input
      inputMode="decimal"
      placeholder="0.00"
      {...props}
      form={isHidden && !form.refusal ? { ...form, values: {} } : shown}
      hint={
        isHidden
          ? `Only administrators can see this amount${isStored ? '; leave blank to keep the stored amount' : ''}`
          : hint
      }
    />
  )
}
