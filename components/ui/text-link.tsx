import type { ComponentProps } from "react";
import { AppLink } from "./app-link";

export function TextLink(props: Omit<ComponentProps<typeof AppLink>, "className">) {
  return (
    <AppLink
      {...props}
      className="rounded-control font-medium text-primary-text underline decoration-primary-text/35 underline-offset-4 hover:decoration-primary-text"
    />
  );
}
