import { PROSODY_RANGES } from "@parlance/protocol";
import { RangeField } from "../../ui/field.tsx";

interface SpeedFieldProps {
  readonly value: number;
  readonly onChange: (speed: number) => void;
}

export function SpeedField({ value, onChange }: SpeedFieldProps) {
  return (
    <RangeField
      label="Speed"
      aside={`${value.toFixed(2)} ×`}
      min={PROSODY_RANGES.speed.min}
      max={PROSODY_RANGES.speed.max}
      step={0.05}
      value={value}
      onChange={(event) => onChange(Number(event.target.value))}
    />
  );
}
