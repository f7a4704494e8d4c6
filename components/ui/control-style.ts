import { cva } from "class-variance-authority";

export const controlStyle = cva(
  [
    "w-full min-w-0 rounded-control border border-border-strong bg-surface text-fg transition-colors duration-120",
    "hover:border-fg-muted disabled:cursor-not-allowed disabled:bg-sunken disabled:text-fg-subtle disabled:hover:border-border-strong",
    "aria-invalid:border-danger aria-invalid:hover:border-danger-hover",
    "focus-visible:outline-offset-0",
  ],
  {
    variants: {
      size: {
        md: "min-h-control px-3 text-base",
        sm: "min-h-control-small px-2.5 text-sm pointer-coarse:text-base",
      },
    },
    defaultVariants: { size: "md" },
  },
);
