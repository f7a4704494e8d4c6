import { cva, type VariantProps } from "class-variance-authority";

export const buttonStyle = cva(
  [
    "relative inline-flex shrink-0 select-none items-center justify-center gap-2 rounded-control border font-medium",
    "whitespace-nowrap transition-colors duration-120 ease-out",
    "disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed not-aria-busy:aria-disabled:opacity-55",
  ],
  {
    variants: {
      variant: {
        primary: "border-primary-border bg-primary text-primary-fg shadow-1 hover:bg-primary-hover",
        secondary:
          "border-border-strong/55 bg-surface text-fg shadow-1 hover:bg-sunken data-popup-open:bg-sunken",
        ghost:
          "border-transparent text-fg-muted hover:bg-sunken hover:text-fg data-popup-open:bg-sunken data-popup-open:text-fg",
        danger: "border-transparent bg-danger text-danger-fg shadow-1 hover:bg-danger-hover",
      },
      size: {
        md: "min-h-control px-4 text-sm",
        sm: "min-h-control-small px-3 text-sm",
        icon: "size-control",
        iconSm: "size-control-small",
      },
      block: { true: "w-full" },
    },
    defaultVariants: { variant: "secondary", size: "md" },
  },
);

export type ButtonStyle = VariantProps<typeof buttonStyle>;
