import type { ReactNode } from "react";

/** Renders `<b>` of a message: an address, which is left to right in every language. */
export function renderStrongAddress(chunks: ReactNode) {
  return (
    <bdi dir="ltr" className="wrap-anywhere font-medium text-fg">
      {chunks}
    </bdi>
  );
}
