import Link from "next/link";
import type { ComponentProps } from "react";

/** A link inside text. */
export function TextLink(props: Omit<ComponentProps<typeof Link>, "className">) {
  return (
    <Link
      {...props}
      className="rounded-control font-medium text-primary-text underline decoration-primary-text/35 underline-offset-4 hover:decoration-primary-text"
    />
  );
}
