import { createScale, toAreaPath, toLinePath, type Values } from "./geometry";
import { toToneStyle } from "./tone-style";
import type { Tone } from "./types";

interface SparklineProps {
  values: Values;
  tone?: Tone;
  /** The figures in words; the picture only shows their course. */
  label: string;
}

/** Small line without axes, for a row of a list. */
export function Sparkline({ values, tone = "main", label }: SparklineProps) {
  const scale = createScale(values);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      className="chart h-6 w-24 overflow-visible rtl:-scale-x-100"
      style={toToneStyle(tone)}
    >
      <path d={toAreaPath(values, scale)} className="fill-(--tone)" fillOpacity={0.12} />
      <path
        d={toLinePath(values, scale)}
        className="fill-none stroke-(--tone)"
        strokeWidth={1.5}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
