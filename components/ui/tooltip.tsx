"use client";

import dynamic from "next/dynamic";
import type { FocusEvent, MouseEvent, PointerEvent, ReactElement } from "react";
import { useHint } from "./hint";
import type { TooltipProps } from "./popups/props";

const load = () => import("./popups/tooltip-popup");
const TooltipPopup = dynamic(() => load().then((file) => file.TooltipPopup), { ssr: false });

type Described = ReactElement<{
  onPointerEnter?: (event: PointerEvent<HTMLElement>) => void;
  onPointerLeave?: (event: PointerEvent<HTMLElement>) => void;
  onFocus?: (event: FocusEvent<HTMLElement>) => void;
  onBlur?: (event: FocusEvent<HTMLElement>) => void;
  onClick?: (event: MouseEvent<HTMLElement>) => void;
}>;

/** Tooltip on hover and focus. Must not contain essential information. */
export function Tooltip({ text, children, side = "top", disabled }: TooltipProps) {
  const { hint, now, hinted } = useHint(400, load);
  const described = children as Described;
  const { props } = described;
  return (
    <>
      {hinted(described, {
        onFocus: (event: FocusEvent<HTMLElement>) => {
          props.onFocus?.(event);
          if (event.currentTarget.matches(":focus-visible")) now(true, event.currentTarget);
        },
        onBlur: (event: FocusEvent<HTMLElement>) => {
          props.onBlur?.(event);
          now(false);
        },
        onClick: (event: MouseEvent<HTMLElement>) => {
          now(false);
          props.onClick?.(event);
        },
      })}
      {hint.anchor && !disabled ? <TooltipPopup {...hint} text={text} side={side} /> : null}
    </>
  );
}
