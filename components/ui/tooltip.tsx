"use client";

import type { FocusEvent, MouseEvent, PointerEvent, ReactElement } from "react";
import { HINT, lazyPart } from "./lazy-part";
import type { TooltipProps } from "./popups/props";
import { useHint } from "./use-hint";

const TooltipPopup = lazyPart(() => import("./popups/tooltip-popup").then((file) => file.TooltipPopup), HINT);

type TargetElement = ReactElement<{
  onPointerEnter?: (event: PointerEvent<HTMLElement>) => void;
  onPointerLeave?: (event: PointerEvent<HTMLElement>) => void;
  onFocus?: (event: FocusEvent<HTMLElement>) => void;
  onBlur?: (event: FocusEvent<HTMLElement>) => void;
  onClick?: (event: MouseEvent<HTMLElement>) => void;
}>;

export function Tooltip({ text, children, side = "top", disabled }: TooltipProps) {
  const { hint, setOpenNow, renderWithHint } = useHint(400, TooltipPopup.preload);
  const target = children as TargetElement;
  const { props } = target;
  return (
    <>
      {renderWithHint(target, {
        onFocus: (event: FocusEvent<HTMLElement>) => {
          props.onFocus?.(event);
          if (event.currentTarget.matches(":focus-visible")) setOpenNow(true, event.currentTarget);
        },
        onBlur: (event: FocusEvent<HTMLElement>) => {
          props.onBlur?.(event);
          setOpenNow(false);
        },
        onClick: (event: MouseEvent<HTMLElement>) => {
          setOpenNow(false);
          props.onClick?.(event);
        },
      })}
      {hint.anchor && !disabled ? <TooltipPopup {...hint} text={text} side={side} /> : null}
    </>
  );
}
