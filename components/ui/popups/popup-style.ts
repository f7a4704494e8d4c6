import { cva } from "class-variance-authority";

export const backdropStyle =
  "fixed inset-0 layer-dialog bg-scrim transition-opacity duration-180 ease-out data-ending-style:opacity-0 data-starting-style:opacity-0";

export const popupStyle = cva(
  [
    "fixed layer-dialog flex max-h-[calc(100dvh-2rem)] flex-col border border-border bg-raised text-fg shadow-3 outline-none",
    "inset-x-0 bottom-0 rounded-t-dialog pb-[env(safe-area-inset-bottom)]",
    "sm:inset-x-auto sm:start-1/2 sm:top-1/2 sm:bottom-auto sm:-translate-y-1/2 sm:rounded-dialog sm:pb-0",
    "sm:w-[calc(100vw-3rem)] sm:ltr:-translate-x-1/2 sm:rtl:translate-x-1/2",
    "transition-[opacity,transform] duration-180 ease-out data-ending-style:opacity-0 data-starting-style:opacity-0",
    "data-starting-style:transform-[translateY(0.75rem)] data-ending-style:transform-[translateY(0.75rem)]",
  ],
  {
    variants: { size: { sm: "sm:max-w-md", md: "sm:max-w-lg", lg: "sm:max-w-3xl" } },
    defaultVariants: { size: "md" },
  },
);
