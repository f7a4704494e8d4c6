"use client";

import { Slider as Base } from "@base-ui/react/slider";
import { type ReactNode, useContext } from "react";
import { FieldContext } from "./field-context";

export interface SliderProps {
  value: number;
  onValueChange: (value: number) => void;
  min?: number;
  max?: number;
  step?: number;
  disabled?: boolean;
  name?: string;
  formatValue?: (value: number) => string;
  endLabels?: [ReactNode, ReactNode];
  "aria-label"?: string;
}

/** Slider. Wrap it in `<Field group>` for a label. */
export function Slider({ formatValue, endLabels, onValueChange, ...props }: SliderProps) {
  const field = useContext(FieldContext);
  return (
    <Base.Root
      value={props.value}
      min={props.min}
      max={props.max}
      step={props.step}
      name={props.name}
      disabled={props.disabled}
      onValueChange={(value) => onValueChange(value as number)}
    >
      <div className="flex items-center gap-4">
        <Base.Control className="flex h-6 min-w-0 flex-1 touch-none select-none items-center pointer-coarse:h-11">
          <Base.Track className="h-1.5 w-full rounded-full bg-border">
            <Base.Indicator className="rounded-full bg-primary-mark" />
            <Base.Thumb
              className="knob size-5 rounded-full border-2 border-primary-mark bg-surface shadow-1 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring"
              aria-label={props["aria-label"]}
              aria-labelledby={props["aria-label"] ? undefined : field?.labelledBy}
              aria-describedby={field?.describedBy}
              getAriaValueText={formatValue ? (_, value) => formatValue(value) : undefined}
            />
          </Base.Track>
        </Base.Control>
        <output className="min-w-14 shrink-0 text-end font-medium text-sm">
          {formatValue ? formatValue(props.value) : props.value}
        </output>
      </div>
      {endLabels ? (
        <div className="mt-1 flex justify-between text-caption text-fg-muted">
          <span>{endLabels[0]}</span>
          <span>{endLabels[1]}</span>
        </div>
      ) : null}
    </Base.Root>
  );
}
